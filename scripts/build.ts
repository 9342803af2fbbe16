import { buildAgent } from '../packages/agent/build.ts'
import { buildDashboard } from '../packages/dashboard/build.ts'
import { asnIsCurrent, compileAsn } from '../packages/server/build/compile-asn.ts'

/** Builds what a browser runs and compiles the address data: all that cannot run as it is. */
const ASN_FILE = new URL('../packages/server/data/asn.bin', import.meta.url).pathname

await Promise.all([buildAgent(), buildDashboard()])
if (!asnIsCurrent(ASN_FILE)) compileAsn(ASN_FILE)
