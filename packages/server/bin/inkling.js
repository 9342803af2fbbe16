#!/usr/bin/env node
import '../src/cli/inkling.ts'
