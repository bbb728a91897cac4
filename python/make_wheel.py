"""make_wheel.py LIBRARY VERSION FOLDER -- the package, the shared library and the program beside it as a wheel; a wheel is a zip file, so nothing else is needed."""

import base64
import hashlib
import platform
import stat
import sys
import zipfile
from pathlib import Path

library, version, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
tag = f"py3-none-linux_{platform.machine()}"
info = f"redblue-{version}.dist-info"
here = Path(__file__).resolve().parent
members = {f"redblue/{p.name}": p.read_bytes() for p in sorted((here / "redblue").glob("*.py"))}
members["redblue/libredblue.so"] = library.read_bytes()
members["redblue/redblue-program"] = (library.parent / "redblue").read_bytes()
members[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: redblue\nVersion: {version}\nSummary: Lower bounds, schedules and verdicts for the "
                               "red-blue pebble game\nLicense: GPL-3.0-or-later\nRequires-Python: >=3.8\n").encode()
members[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: redblue\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
digest = lambda b: "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(b).digest()).rstrip(b"=").decode()
record = "".join(f"{name},{digest(data)},{len(data)}\n" for name, data in members.items()) + f"{info}/RECORD,,\n"
folder.mkdir(parents=True, exist_ok=True)
wheel = folder / f"redblue-{version}-{tag}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as z:
    for name, data in {**members, f"{info}/RECORD": record.encode()}.items():
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        # pip leaves executable what is a regular file and executable in the archive
        entry.external_attr = (stat.S_IFREG | (0o755 if name.endswith("-program") else 0o644)) << 16
        z.writestr(entry, data)
print(wheel)
