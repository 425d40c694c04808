# Answers `sat`, `unsat`, `unknown` or `error ...` to each text on standard input, which comes after a line with its length.
# Arguments: the solver's module, and the milliseconds that an answer may take.
import sys

# No module comes from the folder that this happens to run in.
sys.path[:] = [path for path in sys.path if path]


def bitwuzla(limit):
    import bitwuzla as solver

    def decide(text):
        options = solver.Options()
        options.set(solver.Option.TIME_LIMIT_PER, limit)
        parser = solver.Parser(solver.TermManager(), options)
        parser.parse(text, True, False)
        return parser.bitwuzla().check_sat()

    return decide


def cvc5(limit):
    import cvc5 as solver

    def decide(text):
        engine = solver.Solver(solver.TermManager())
        engine.setOption("tlimit-per", str(limit))
        parser = solver.InputParser(engine)
        parser.setStringInput(solver.InputLanguage.SMT_LIB_2_6, text, "certificate")
        while True:
            command = parser.nextCommand()
            if command.isNull():
                break
            command.invoke(engine, parser.getSymbolManager())
        return engine.checkSat()

    return decide


def main(name, limit):
    decide = {"bitwuzla": bitwuzla, "cvc5": cvc5}[name](limit)
    source = sys.stdin.buffer
    while line := source.readline():
        text = source.read(int(line)).decode("ascii")
        try:
            answer = str(decide(text)).split(" ")[0].lower()
        except Exception as error:
            answer = "error " + " ".join(str(error).split())
        print(answer, flush=True)


main(sys.argv[1], int(sys.argv[2]))
