"""Verifies receipts of another program: one JSON object per line, and one answer per line.

tools/clients/python-receipts.test.ts compares the answers with those of the TypeScript SDK.
"""

import json
import sys
from dataclasses import asdict
from typing import Any

from countersign import InvalidReceipt, Trust, verify_receipt


def answer(receipt: Any, trust: Trust) -> dict[str, Any]:
    result = verify_receipt(receipt, trust)
    if isinstance(result, InvalidReceipt):
        return {"isValid": False, "problems": result.problems}
    # JSON numbers lose digits, so the amount is text.
    verdict = asdict(result.verdict)
    if "value" in verdict:
        verdict["value"] = str(verdict["value"])
    return {"isValid": True, "signer": result.signer, "verdict": verdict}


if __name__ == "__main__":
    for line in sys.stdin:
        question = json.loads(line)
        trusted = question["trust"]
        trust = Trust(trusted["chainId"], trusted["inbox"], trusted["signer"])
        print(json.dumps(answer(question["receipt"], trust)))
