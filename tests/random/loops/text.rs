//! Random loops as PTX. Steps of iterations are those of `accesses`: `%rd7` and `%rd8` point to the elements of an iteration.

use super::frame;
use super::shape::{Counter, Layout, Relation, Shape, Test, Way};
use crate::random::accesses::ptx::Writer;
use crate::random::numbers::Random;

/// A kernel of one or two loops, of which one may be in another loop.
pub fn text(random: &mut Random, shape: &Shape) -> String {
    let target = random.pick(&["sm_70", "sm_80", "sm_80", "sm_90"]);
    let mut text = Text {
        writer: Writer::new(frame::head(shape, target)),
        random,
        shape,
        label: 0,
    };
    for _ in 0..1 + text.random.below(6) / 5 {
        text.nest();
    }
    frame::finished(text.writer.text)
}

/// A text that grows loop by loop.
pub struct Text<'r> {
    pub writer: Writer,
    pub random: &'r mut Random,
    pub shape: &'r Shape,
    /// The number of the loop in which the next step is.
    pub label: u32,
}

impl Text<'_> {
    pub fn line(&mut self, line: &str) {
        self.writer.line(line);
    }

    /// A loop, perhaps in another one that takes the arrays further by an element.
    fn nest(&mut self) {
        if !self.random.chance(20) {
            return self.looped();
        }
        let label = self.writer.label();
        self.line(&format!("mov.u32 %r34, 0;\nO{label}:"));
        self.looped();
        if self.random.chance(50) {
            let step = self.plain();
            self.line("mov.u64 %rd7, %rd20; mov.u64 %rd8, %rd21;");
            if self.shape.layout == Layout::GridStride {
                let unit = self.shape.unit;
                self.line(&format!(
                    "mad.wide.u32 %rd7, %r14, {unit}, %rd7; mad.wide.u32 %rd8, %r14, {unit}, %rd8;"
                ));
            }
            self.generic();
            self.writer.steps(&[step]);
        }
        let bound = ["2", "%r25"][self.random.below(2) as usize];
        self.line(&format!(
            "add.s64 %rd20, %rd20, %rd23; add.s32 %r34, %r34, 1; min.s32 %r35, {bound}, 3; setp.lt.s32 %p7, %r34, %r35;\n@%p7 bra O{label};"
        ));
    }

    /// The loop of the kernel's shape.
    fn looped(&mut self) {
        let label = self.writer.label();
        self.label = label;
        self.start();
        if self.shape.test == Test::Guarded {
            let holds = self.on();
            self.line(&format!("{holds}\n@!%p3 bra E{label};"));
        }
        self.line(&format!("L{label}:"));
        if self.random.chance(20) {
            self.line(".pragma \"nounroll\";");
        }
        if self.shape.test == Test::Top {
            let holds = self.on();
            self.line(&format!("{holds}\n@!%p3 bra E{label};"));
        }
        self.iteration();
        self.advance();
        let holds = self.on();
        match self.shape.test {
            Test::Top => self.line(&format!("bra L{label};")),
            _ if self.random.chance(15) => {
                self.line(&format!("{holds}\n@!%p3 bra E{label};\nbra L{label};"));
            }
            _ => self.line(&format!("{holds}\n@%p3 bra L{label};")),
        }
        self.line(&format!("E{label}:"));
    }

    /// Counters and pointers as the first iteration has them.
    fn start(&mut self) {
        let extend = if self.shape.signed {
            "s64.s32"
        } else {
            "u64.u32"
        };
        self.line(&match self.shape.counter {
            Counter::Word => "mov.u32 %r20, %r27;".to_owned(),
            Counter::Long => format!("cvt.{extend} %rd16, %r27;"),
            Counter::Pointer => {
                "cvt.s64.s32 %rd24, %r27; mad.lo.s64 %rd7, %rd24, %rd23, %rd20;".to_owned()
            }
        });
        self.line("mov.u32 %r28, 0;");
        for (way, element, base) in self.arrays() {
            match way {
                Way::Counter(_) => {}
                _ if self.shape.layout == Layout::GridStride => {
                    let unit = self.shape.unit;
                    self.line(&format!("mad.wide.u32 {element}, %r14, {unit}, {base};"));
                }
                _ => self.line(&format!("mov.u64 {element}, {base};")),
            }
        }
    }

    /// How the two arrays are stepped through, the pointers to their elements, and to the first of these.
    pub fn arrays(&self) -> [(Way, &'static str, &'static str); 2] {
        let [first, second] = self.shape.ways;
        [(first, "%rd7", "%rd20"), (second, "%rd8", "%rd21")]
    }

    /// Sets `%p3` where the loop goes on.
    fn on(&self) -> String {
        let relation = match self.shape.relation {
            Relation::Less => "lt",
            Relation::LessEqual => "le",
            Relation::Unequal => "ne",
            Relation::Greater => "gt",
            Relation::GreaterEqual => "ge",
        };
        let sign = if self.shape.signed { 's' } else { 'u' };
        match self.shape.counter {
            Counter::Word => format!("setp.{relation}.{sign}32 %p3, %r20, %r10;"),
            Counter::Long => format!("setp.{relation}.{sign}64 %p3, %rd16, %rd17;"),
            Counter::Pointer => format!("setp.{relation}.{sign}64 %p3, %rd7, %rd17;"),
        }
    }

    /// To the next iteration.
    fn advance(&mut self) {
        self.line(match (self.shape.counter, self.shape.step) {
            (Counter::Word, _) => "add.s32 %r20, %r20, %r21;",
            (Counter::Long, _) => "add.s64 %rd16, %rd16, %rd18;",
            (Counter::Pointer, _) => "add.s64 %rd7, %rd7, %rd18;",
        });
        for (way, element, _) in self.arrays() {
            let Way::Pointer(step) = way else {
                continue;
            };
            match (step, self.shape.layout) {
                (Some(step), Layout::Rows) => {
                    let bytes = step * self.shape.unit as i64;
                    self.line(&format!("add.s64 {element}, {element}, {bytes};"));
                }
                (Some(step), _) => {
                    self.line(&format!(
                        "mul.lo.s64 %rd24, %rd23, {step}; add.s64 {element}, {element}, %rd24;"
                    ));
                }
                (None, _) => self.line(&format!(
                    "cvt.s64.s32 %rd24, %r29; mad.lo.s64 {element}, %rd24, %rd23, {element};"
                )),
            }
        }
        if self.shape.second {
            self.line("add.s32 %r28, %r28, %r29;");
        }
    }

    /// An element's address from the counter.
    pub fn address(&mut self, how: u64, element: &str, base: &str) {
        let Shape {
            counter,
            layout,
            unit,
            ..
        } = *self.shape;
        // In a grid's stride the counter is the index of an element; else it takes the stride of one.
        let scale = match layout {
            Layout::Turns => None,
            _ => Some(unit),
        };
        match counter {
            Counter::Pointer if element == "%rd7" => {}
            Counter::Pointer => self.line(&format!(
                "sub.s64 %rd24, %rd7, %rd20; add.s64 {element}, {base}, %rd24;"
            )),
            Counter::Long => self.line(&match (scale, how % 2) {
                (Some(unit), 0) => format!(
                    "shl.b64 %rd24, %rd16, {}; add.s64 {element}, {base}, %rd24;",
                    unit.trailing_zeros()
                ),
                (Some(unit), _) => format!("mad.lo.s64 {element}, %rd16, {unit}, {base};"),
                (None, _) => format!("mad.lo.s64 {element}, %rd16, %rd23, {base};"),
            }),
            Counter::Word => {
                let index = match self.shape.biased {
                    true => {
                        self.line("add.s32 %r23, %r20, %r22;");
                        "%r23"
                    }
                    false => "%r20",
                };
                let sign = if self.shape.signed || self.shape.goes_down() || how == 3 {
                    's'
                } else {
                    'u'
                };
                self.line(&match (scale, how) {
                    (Some(unit), 0) => format!("mul.wide.{sign}32 %rd24, {index}, {unit}; add.s64 {element}, {base}, %rd24;"),
                    (Some(unit), 1) => format!("mad.wide.{sign}32 {element}, {index}, {unit}, {base};"),
                    (Some(unit), 2) => format!(
                        "shl.b32 %r26, {index}, {}; cvt.{sign}64.{sign}32 %rd24, %r26; add.s64 {element}, {base}, %rd24;",
                        unit.trailing_zeros()
                    ),
                    (Some(unit), _) => format!(
                        "cvt.s64.s32 %rd24, {index}; shl.b64 %rd24, %rd24, {}; add.s64 {element}, %rd24, {base};",
                        unit.trailing_zeros()
                    ),
                    (None, 0 | 1) => format!("cvt.{sign}64.{sign}32 %rd24, {index}; mad.lo.s64 {element}, %rd24, %rd23, {base};"),
                    (None, _) => format!(
                        "mul.lo.s32 %r26, {index}, %r31; mad.wide.{sign}32 {element}, %r26, {unit}, {base};"
                    ),
                });
            }
        }
    }

    /// The pointer to the first array's element as a generic one.
    pub fn generic(&mut self) {
        self.line("cvta.global.u64 %rd5, %rd7;");
    }
}
