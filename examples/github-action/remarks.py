#!/usr/bin/env python3
"""Writes the remarks on several modules as one SARIF log, since a code host takes one run for each tool.

remarks.py LOG.sarif K.ptx... [-- OPTIONS OF ptxasw explain...]
"""

import json
import subprocess
import sys


def remarks(module, options):
    command = ["ptxasw", "explain", "--sarif", "--quiet", *options, module]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def merged(logs):
    """One run with the results of all; each rule once. Numbers of rules hold in one log alone, their names in all."""
    first = logs[0]
    run = first["runs"][0]
    rules, results = {}, []
    for log in logs:
        for rule in log["runs"][0]["tool"]["driver"]["rules"]:
            rules.setdefault(rule["id"], rule)
        results += log["runs"][0]["results"]
    for result in results:
        del result["ruleIndex"]
    run["tool"]["driver"]["rules"] = sorted(rules.values(), key=lambda rule: rule["id"])
    run["results"] = results
    return first


def main(arguments):
    end = arguments.index("--") if "--" in arguments else len(arguments)
    log, modules, options = arguments[0], arguments[1:end], arguments[end + 1 :]
    if not modules:
        sys.exit(__doc__)
    text = json.dumps(merged([remarks(module, options) for module in modules]), indent=1)
    with open(log, "w", encoding="utf-8") as out:
        out.write(text)


main(sys.argv[1:])
