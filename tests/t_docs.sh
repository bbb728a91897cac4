#!/bin/sh
# With the plain build only: every example in the documents, with this build's program.  Some print what was done within a time, and a slower
# program rightly prints something else.
exec sh docs/check-docs.sh
