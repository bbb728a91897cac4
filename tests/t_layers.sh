#!/bin/sh
exec sh tests/layers.sh
