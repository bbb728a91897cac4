#!/bin/sh
# Every example in the documents, with this build's program.
exec sh docs/check-docs.sh
