//! Code that runs only where the test of an earlier pass fails: the copy that the test guards is what counts.

use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::Function;
use ptxasw_ir::patch::Text;

/// For each block whether it is part of a fallback: every path to it takes the branch of a failed test.
pub fn blocks(function: &Function, analyses: &Analyses, text: &dyn Text) -> Vec<bool> {
    let (cfg, dominators) = (&analyses.cfg, &analyses.dominators);
    let mut fallback = vec![false; function.blocks.len()];
    for test in function.block_ids().filter(|&block| cfg.reachable(block)) {
        let Some(first) = text.fallback(test) else {
            continue;
        };
        // Other edges to it come from the fallback itself.
        let mut edges = cfg
            .predecessors(first)
            .filter(|&from| !dominators.dominates(first, from));
        fallback[first.index()] |= edges.next() == Some(test) && edges.next().is_none();
    }
    // Dominators come first.
    for &block in cfg.reverse_post_order() {
        let above = dominators.immediate(block);
        fallback[block.index()] |= above.is_some_and(|above| fallback[above.index()]);
    }
    fallback
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ptx::write::View;
    use ptxasw_ptx::{decode, lower, parse};

    /// The lines of the loads that are part of a fallback.
    fn lines(body: &str) -> Vec<usize> {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{{\n.reg .pred %ptxaswp_p<2>;\n\
             .reg .b32 %r<9>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\n{body}ret;\n}}\n"
        );
        let module = parse(text.as_bytes()).expect("it is PTX");
        let headers = decode::headers(&module);
        let form = decode::body(&module, &headers, 0).expect("it has a meaning");
        let lowered = lower::lower(&headers, &form).expect("it is lowered");
        let analyses = Analyses::new(&lowered.function);
        let view = View::new(&module, &form, &lowered);
        let fallback = blocks(&lowered.function, &analyses, &view);
        let inside = lowered
            .function
            .block_ids()
            .filter(|block| fallback[block.index()]);
        let insts = inside.flat_map(|block| lowered.function.block(block).insts.clone());
        let sites = insts.map(|id| view.site(lowered.function.inst(id).origin).text);
        let loads = sites.filter(|text| text.starts_with("ld.global"));
        let number = |text: String| {
            text.rsplit("+")
                .next()
                .and_then(|end| end.strip_suffix("];")?.parse().ok())
        };
        loads.filter_map(number).collect()
    }

    #[test]
    fn what_a_failed_test_leads_to_up_to_where_the_copy_joins() {
        let body = "@!%ptxaswp_p0 bra $ptxaswp_3_1;\nld.global.u32 %r1, [%rd1+1];\nbra $ptxaswp_3_2;\n$ptxaswp_3_1:\n\
                    ld.global.u32 %r1, [%rd1+2];\nL: ld.global.u32 %r2, [%rd1+3];\nsetp.eq.u32 %ptxaswp_p1, %r2, 0;\n\
                    @%ptxaswp_p1 bra L;\n$ptxaswp_3_2:\nld.global.u32 %r3, [%rd1+4];\n";
        assert_eq!(lines(body), [2, 3]);
    }

    #[test]
    fn a_loop_at_the_start_of_the_original() {
        let body = "@!%ptxaswp_p0 bra.uni $ptxaswp_3_1;\nld.global.u32 %r1, [%rd1+1];\nret;\n$ptxaswp_3_1:\n\
                    L: ld.global.u32 %r2, [%rd1+2];\nsetp.eq.u32 %ptxaswp_p1, %r2, 0;\n@%ptxaswp_p1 bra L;\n\
                    ld.global.u32 %r3, [%rd1+3];\n";
        assert_eq!(lines(body), [2, 3]);
    }

    #[test]
    fn a_label_that_is_reached_otherwise_too() {
        let joined = "@!%ptxaswp_p0 bra $ptxaswp_3_1;\nld.global.u32 %r1, [%rd1+1];\n$ptxaswp_3_1:\n\
                      ld.global.u32 %r2, [%rd1+2];\n";
        assert!(lines(joined).is_empty());
        let of_copy = "@!%ptxaswp_p0 bra $ptxaswp_3c0_7;\nld.global.u32 %r1, [%rd1+1];\nret;\n$ptxaswp_3c0_7:\n\
                       ld.global.u32 %r2, [%rd1+2];\n";
        assert!(lines(of_copy).is_empty());
        let of_others = "@!%ptxaswp_p0 bra $L_1;\nld.global.u32 %r1, [%rd1+1];\nret;\n$L_1:\n\
                         ld.global.u32 %r2, [%rd1+2];\n";
        assert!(lines(of_others).is_empty());
    }
}
