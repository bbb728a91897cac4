#!/bin/sh
exec sh tests/mutation/stale.sh
