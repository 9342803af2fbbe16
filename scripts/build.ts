import { buildAgent, buildEmbed, buildHoneytokens } from '../packages/agent/build.ts'
import { buildDashboard } from '../packages/dashboard/build.ts'
import { asnIsCurrent, compileAsn } from '../packages/server/build/compile-asn.ts'
import { packClients } from '../packages/server/build/pack-clients.ts'
import { packReference } from '../packages/server/build/pack-reference.ts'

/** Builds the code for browsers and compiles the address data. Everything else runs from source. */
const DATA = new URL('../packages/server/data/', import.meta.url).pathname
const ASN_FILE = `${DATA}asn.bin`

await Promise.all([
  buildAgent(),
  buildEmbed(),
  buildHoneytokens(),
  buildDashboard(),
  packReference(`${DATA}redoc.js.gz`),
  packClients(DATA),
])
if (!asnIsCurrent(ASN_FILE)) compileAsn(ASN_FILE)
