import { NIL_UUID, NO_IPV4, namesAccount } from '@inkling/contract'
import { ENTITY_TYPES } from '@inkling/contract/account'
import { Time, words } from '../../parts/format.tsx'
import type { IdentifierType } from '../../parts/identifier.tsx'
import { scoreWords } from '../../parts/score-words.ts'
import { formatQuery } from '../../search-params.ts'
import classes from './cells.module.css'
import type { ListedRow } from './listed-row.ts'

/**
 * Cells are plain elements: hundreds of them are drawn in a frame while somebody scrolls, and a component of the library
 * takes as long as ten of these. The table follows their links (`useOpenRow`).
 */

export const PlainCell = ({ text }: { text: string | undefined }) =>
  text === undefined || text === '' ? <Dim text="unknown" /> : <span title={text}>{text}</span>

const Dim = ({ text, title }: { text: string; title?: string }) => (
  <span className="dim" title={title}>
    {text}
  </span>
)

/** Below the base address of the dashboard. */
const pathOf = (domain: string, ...parts: readonly string[]): string =>
  ['d', domain, ...parts].map(encodeURIComponent).join('/')

/** A click anywhere on a row opens it; this link does the same for the keyboard. */
export const TimeCell = ({ row, domain }: { row: ListedRow; domain: string }) => (
  <a className={classes.quiet} href={pathOf(domain, 'identifications', row.request_id)}>
    <Time at={row.created_at} />
  </a>
)

interface IdentifierCellProps {
  type: IdentifierType
  value: string
  domain: string
}

/** An identifier that links to everything that shares it, a UUID by its first eight characters. */
export function IdentifierCell({ type, value, domain }: IdentifierCellProps) {
  if (value === NIL_UUID || value === NO_IPV4 || value === '') return <Dim text="none" />
  if (type === 'user_hid' && !namesAccount(value))
    return <Dim text={value} title="Stands for visitors without an account" />
  return (
    <a
      className={type === 'user_hid' ? classes.link : `${classes.link} mono`}
      href={addressOf(domain, type, value)}
      title={value}
    >
      {value.length === 36 && type !== 'user_hid' ? `${value.slice(0, 8)}…` : value}
    </a>
  )
}

function addressOf(domain: string, type: IdentifierType, value: string): string {
  if (type === 'request_id') return pathOf(domain, 'identifications', value)
  if (ENTITY_TYPES.some((known) => known === type))
    return `${pathOf(domain, 'entity')}${formatQuery({ type, value })}`
  return `${pathOf(domain, 'identifications')}${formatQuery({ [type]: value })}`
}

/** As `ScoreBadge`: a visit of which hardly anything is known has earned no trust. */
export function ScoreCell({ row: { score, evidence } }: { row: ListedRow }) {
  const shown = scoreWords(score, evidence)
  return (
    <span className={`${classes.score} band-${shown.tone}`} data-tone={shown.tone}>
      {shown.score !== undefined && <b>{shown.score}</b>}
      {shown.said}
    </span>
  )
}

export const AgentCell = ({ agent }: Pick<ListedRow, 'agent'>) =>
  agent ? (
    <>
      {agent.name} <span className={classes.tag}>{words(agent.identity)}</span>
    </>
  ) : (
    <Dim text="none" />
  )

const FLAGS_SHOWN = 2

export const FlagsCell = ({ flags }: { flags: readonly string[] }) =>
  flags.length === 0 ? (
    <Dim text="none" />
  ) : (
    <span className={classes.flags} title={flags.map(words).join(', ')}>
      {flags.slice(0, FLAGS_SHOWN).map((flag) => (
        <span key={flag} className={classes.tag}>
          {words(flag)}
        </span>
      ))}
      {flags.length > FLAGS_SHOWN && <span className="dim">+{flags.length - FLAGS_SHOWN} more</span>}
    </span>
  )
