import { join } from 'node:path'
import { CONFIGURATIONS } from '../configurations/index.ts'
import { CONTROLS } from '../controls/index.ts'
import { FILL_ALL } from '../honeytokens/fill-all.ts'
import { openVisit } from './visit.ts'

/**
 * Runs one visit in its own process, which isolates patches, output and hanging handles of a tool.
 * Arguments: configuration, visit, origin of the site.
 */
const [id = '', visitId = '', origin = ''] = process.argv.slice(2)
const configuration = [...CONFIGURATIONS, ...CONTROLS, ...FILL_ALL].find((known) => known.id === id)
if (!configuration) throw new Error(`no configuration ${id}`)
await configuration.run(openVisit(origin, visitId, join(process.env.TMPDIR ?? '', 'profile')))
process.exit(0)
