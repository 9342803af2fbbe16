import { join } from 'node:path'
import { CONFIGURATIONS } from '../configurations/index.ts'
import { CONTROLS } from '../controls/index.ts'
import { openVisit } from './visit.ts'

/**
 * One visit, in a process of its own: what a tool patches, prints or leaves hanging stays in it.
 * Arguments: configuration, visit, origin of the site.
 */
const [id = '', visitId = '', origin = ''] = process.argv.slice(2)
const configuration = [...CONFIGURATIONS, ...CONTROLS].find((known) => known.id === id)
if (!configuration) throw new Error(`no configuration ${id}`)
await configuration.run(openVisit(origin, visitId, join(process.env.TMPDIR ?? '', 'profile')))
process.exit(0)
