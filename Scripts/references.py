"""The records of Tests/References that Python computes: Scripts/make-number-cases and Scripts/make-conversion-cases.

The tree has a tenth of the cases, with each kind of case. With a folder, a script writes all of them into it, after it has seen
that they are the same as when the tenth was written: Scripts/test-references runs the tests with all.
"""
import hashlib
import pathlib
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent / "Tests" / "References"


def write(name, head, cases):
    """Writes the cases, pairs of a kind and a line, below the lines of the head."""
    lines = [line for _, line in cases]
    seen, kept = {}, []
    for kind, line in cases:
        if seen.setdefault(kind, 0) % 10 == 0:
            kept.append(line)
        seen[kind] += 1
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    count = f"# {len(kept)} of {len(lines)} cases: the first of each kind, and each tenth after it. SHA-256 of all: {digest}\n"
    text = head + count + "\n".join(kept) + "\n"
    if len(sys.argv) < 2:
        (TREE / name).write_text(text, encoding="utf-8")
        return
    if (TREE / name).read_text(encoding="utf-8") != text:
        sys.exit(f"Tests/References/{name} is not what its script writes")
    (pathlib.Path(sys.argv[1]) / name).write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
