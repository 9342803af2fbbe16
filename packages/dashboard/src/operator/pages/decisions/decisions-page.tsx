import { DECISION_ACTIONS, DECISION_PURPOSES } from '@inkling/contract'
import { Button, Group, Select, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useApi, usePages } from '../../api/use-api.ts'
import { ACTION_LABELS } from '../../parts/action-badge.tsx'
import { Empty, LoadedPages } from '../../parts/feedback.tsx'
import { timeText } from '../../parts/format.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { type DecisionsSearch, parseDecisionsSearch } from '../../search-params.ts'
import { PURPOSE_LABELS } from '../decision-rules/purposes.ts'
import { DecisionsTable } from './decisions-table.tsx'

const route = getRouteApi('/signed-in/d/$domain/decisions')

export function DecisionsPage() {
  const api = useApi()
  const { domain } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const pages = usePages(['listDecisions', domain, search], (paging, signal) =>
    api.call('listDecisions', { params: { domain }, query: { ...search, ...paging } }, signal),
  )
  const isFiltered = Object.keys(search).length > 0
  return (
    <>
      <PageHead about="What your backend was told when it asked what to do about a visit, newest first." />
      <DecisionsFilters
        search={search}
        change={(changed) => void navigate({ search: parseDecisionsSearch({ ...search, ...changed }) })}
      />
      <LoadedPages
        pages={pages}
        empty={
          <Empty title={isFiltered ? 'No matching decisions' : 'No decisions yet'}>
            Your backend asks for them with POST /api/v1/decide.
          </Empty>
        }
      >
        {(decisions) => <DecisionsTable domain={domain} decisions={decisions} />}
      </LoadedPages>
    </>
  )
}

interface DecisionsFiltersProps {
  search: DecisionsSearch
  /** Undefined removes a filter. */
  change(changed: { [Name in keyof DecisionsSearch]: string | undefined }): void
}

const FIELDS = [
  {
    name: 'action',
    label: 'Action',
    data: DECISION_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] })),
  },
  {
    name: 'purpose',
    label: 'Purpose',
    data: DECISION_PURPOSES.map((value) => ({ value, label: PURPOSE_LABELS[value] })),
  },
] as const

const DecisionsFilters = ({ search, change }: DecisionsFiltersProps) => (
  <Group gap="xs" mb="sm" align="flex-end">
    {FIELDS.map(({ name, label, data }) => (
      <Select
        key={name}
        label={label}
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
        data={data}
        value={search[name] ?? null}
        onChange={(chosen) => change({ [name]: chosen ?? undefined })}
      />
    ))}
    {(search.from !== undefined || search.to !== undefined) && (
      <Group gap="xs">
        <Text size="sm">{timesText(search)}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => change({ from: undefined, to: undefined })}
        >
          Any time
        </Button>
      </Group>
    )}
  </Group>
)

const timesText = ({ from, to }: DecisionsSearch): string =>
  [from && `From ${timeText(from)}`, to && `before ${timeText(to)}`].filter(Boolean).join(' ')
