import type { ReadingValues } from '@inkling/contract'
import type { Readings } from '../../visit/identification.ts'
import type { Hint } from '../hint.ts'
import { known } from '../known.ts'
import { GROUPS, type TamperingGroup } from './tampering-groups.ts'

type Realm = ReadingValues['worker']

/** What each fact is a claim about. */
const CLAIMS: Readonly<Record<keyof Realm, TamperingGroup>> = {
  user_agent: 'identity',
  platform: 'identity',
  languages: 'languages',
  timezone: 'timezone',
  cores: 'reduction',
  memory_gb: 'reduction',
  webgl_renderer: 'gpu',
}

/** Facts that the page tells otherwise than its worker or its frame: scripts that forge them seldom reach there. */
export function realmHints(readings: Readings): Hint[] {
  const page = pageRealm(readings)
  return (['worker', 'iframe'] as const).flatMap((where) => {
    const realm = known(readings[where])
    if (!realm) return []
    const facts = (Object.keys(CLAIMS) as (keyof Realm)[]).filter((fact) => differ(page[fact], realm[fact]))
    return [...Map.groupBy(facts, (fact) => CLAIMS[fact])].map(
      ([group, different]): Hint => ({
        name: where === 'worker' ? 'worker_mismatch' : 'frame_mismatch',
        group,
        points: GROUPS[group],
        evidence: different.map((fact) => ({ fact, page: page[fact], [where]: realm[fact] })),
      }),
    )
  })
}

function pageRealm({ user_agent, platform, languages, hardware, timezone, webgl }: Readings) {
  return {
    user_agent: known(user_agent),
    platform: known(platform),
    languages: known(languages)?.languages,
    cores: known(hardware)?.cores,
    memory_gb: known(hardware)?.memory_gb,
    timezone: known(timezone)?.name,
    webgl_renderer: known(webgl)?.unmasked_renderer || undefined,
  }
}

/** What either of the two does not tell is no contradiction: memory and GPU are missing in some realms. */
function differ(one: unknown, other: unknown): boolean {
  if (one === undefined || one === null || other === undefined || other === null) return false
  return JSON.stringify(one) !== JSON.stringify(other)
}
