import { ENTITY_TYPES, type EntityGraph, type EntitySummary } from '@inkling/contract/account'
import { Alert, Button, Chip, Group, NativeSelect, Text } from '@mantine/core'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useApiQueries } from '../../api/use-api.ts'
import { Loading } from '../../parts/feedback.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { Section } from '../../parts/layout.tsx'
import { ChosenNode } from './chosen-node.tsx'
import { filterNetwork, joinGraphs, keyOf, type NodeName, type NodeType } from './entity-network.ts'
import { NetworkLegend } from './network-legend.tsx'
import { NetworkTable } from './network-table.tsx'

/** Only pages with a graph load what draws it. */
const NetworkCanvas = lazy(() =>
  import('./network-canvas.tsx').then((module) => ({ default: module.NetworkCanvas })),
)

type Entity = Pick<EntitySummary, 'type' | 'value'>

const DAY_MS = 86_400_000
const TIMES = [
  { label: 'Any time', days: 0 },
  { label: 'Last day', days: 1 },
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
]

interface LinkGraphProps {
  graph: EntityGraph
  domain: string
}

/** Identifiers that were seen in the same visits, as a graph that opens neighbour by neighbour. */
export function LinkGraph({ graph, domain }: LinkGraphProps) {
  const [opened, setOpened] = useState<readonly Entity[]>([])
  const [chosenKey, setChosenKey] = useState<string>()
  const [hidden, setHidden] = useState<ReadonlySet<NodeType>>(new Set())
  const [sinceMs, setSinceMs] = useState<number>()
  const [table, setTable] = useState(false)
  const queries = useApiQueries(
    'getEntity',
    opened.map((query) => ({ params: { domain }, query })),
  )
  const answers = queries.flatMap(({ data }) => (data ? [data.graph] : []))
  // The list of answers is new on each render; when each of them arrived says whether one is.
  const arrived = queries.map(({ dataUpdatedAt }) => dataUpdatedAt).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const network = useMemo(() => joinGraphs([graph, ...answers]), [graph, arrived])
  const shown = useMemo(() => filterNetwork(network, { hidden, sinceMs }), [network, hidden, sinceMs])
  const kinds = [...new Set(network.nodes.map(({ type }) => type))]
  const chosen = shown.nodes.find(({ key }) => key === chosenKey)
  const failed = queries.filter(({ error }) => error)
  const loading = queries.some(({ isFetching }) => isFetching)
  const open = useCallback((node: NodeName) => {
    const entity = entityOf(node)
    if (!entity) return
    setChosenKey(keyOf(node))
    setOpened((before) =>
      before.some((known) => keyOf(known) === keyOf(node)) ? before : [...before, entity],
    )
  }, [])
  return (
    <Section
      title="Linked identifiers"
      about="A line joins identifiers that were seen in the same visits; the more visits, the thicker the line. Choose one to open its neighbours, to any depth."
    >
      <Group gap="sm" align="end">
        <Chip.Group
          multiple
          value={kinds.filter((kind) => !hidden.has(kind))}
          onChange={(left) => setHidden(new Set(kinds.filter((kind) => !left.includes(kind))))}
        >
          <Group gap={6} role="group" aria-label="Kinds in the graph">
            {kinds.map((kind) => (
              <Chip key={kind} value={kind} size="xs">
                {IDENTIFIER_LABELS[kind]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <NativeSelect
          size="xs"
          aria-label="Seen together in"
          data={TIMES.map(({ label, days }) => ({ label, value: String(days) }))}
          onChange={({ currentTarget: { value } }) =>
            setSinceMs(value === '0' ? undefined : Date.now() - Number(value) * DAY_MS)
          }
        />
        <Button size="xs" variant="default" aria-expanded={table} onClick={() => setTable(!table)}>
          {table ? 'Hide the table' : 'Show as a table'}
        </Button>
      </Group>
      <Suspense fallback={<Loading />}>
        <NetworkCanvas network={shown} chosen={chosen} onChoose={setChosenKey} />
      </Suspense>
      <NetworkLegend kinds={kinds} />
      <Text size="sm" className="dim" role="status">
        {loading
          ? 'Loading neighbours…'
          : `${shown.nodes.length} of ${network.nodes.length} identifiers are drawn.`}
        {shown.nodes.length === 1 &&
          ' No other one is left to draw: nothing was seen with it, or the filters hide it.'}
      </Text>
      {failed.length > 0 && (
        <Alert color="red" title="Neighbours could not be loaded">
          <Button size="xs" variant="default" onClick={() => failed.forEach((query) => void query.refetch())}>
            Try again
          </Button>
        </Alert>
      )}
      {chosen && <ChosenNode node={chosen} canOpen={entityOf(chosen) !== undefined} open={open} />}
      {table && <NetworkTable network={shown} chosenKey={chosenKey} onChoose={setChosenKey} />}
    </Section>
  )
}

/** Cookies have no page, so their neighbours are not read. */
function entityOf({ type, value }: NodeName): Entity | undefined {
  const entity = ENTITY_TYPES.find((known) => known === type)
  return entity && { type: entity, value }
}
