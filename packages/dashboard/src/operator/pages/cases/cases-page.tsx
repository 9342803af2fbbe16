import type { Case, CaseCounts } from '@inkling/contract/account'
import { Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApi, useApiMutation, useApiQuery, usePages, useUser } from '../../api/use-api.ts'
import { casesText, SHOWING_CASES } from '../../parts/case-words.tsx'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt, Empty, LoadedPages } from '../../parts/feedback.tsx'
import { countedText } from '../../parts/format.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { focusedCase, moveFocus } from './case-focus.ts'
import { CASE_TABS, type CaseTab } from './cases-search.ts'
import { CasesTable } from './cases-table.tsx'
import { KeysDialog } from './keys-dialog.tsx'

const route = getRouteApi('/signed-in/d/$domain/cases')

const TAB_LABELS: Record<CaseTab, string> = {
  mine: 'Mine',
  unassigned: 'Unassigned',
  all: 'All open',
  closed: 'Closed',
}

const QUERIES = {
  mine: { assignee: 'me' },
  unassigned: { assignee: 'none' },
  all: {},
  closed: { status: 'closed' },
} as const

const countOf = (tab: CaseTab, counts: CaseCounts): number | undefined =>
  ({ mine: counts.mine, unassigned: counts.unassigned, all: counts.open, closed: undefined })[tab]

/** Where a key means something else: fields for text, lists to choose from and dialogs. Checkboxes of the table do not. */
const TAKES_KEYS =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu], [role=dialog]'

export function CasesPage() {
  const { domain } = route.useParams()
  const { tab = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: counts } = useApiQuery('countCases', { params: { domain } })
  return (
    <>
      <PageHead about="What a person should look at. Decisions to review open cases by themselves." />
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: { tab: (next ?? 'all') as CaseTab } })}
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          {CASE_TABS.map((name) => {
            const count = counts && countOf(name, counts)
            return (
              <Tabs.Tab key={name} value={name}>
                {TAB_LABELS[name]}
                {count !== undefined && ` (${casesText(count)})`}
              </Tabs.Tab>
            )
          })}
        </Tabs.List>
        {CASE_TABS.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <Queue domain={domain} tab={name} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

function Queue({ domain, tab }: { domain: string; tab: CaseTab }) {
  const api = useApi()
  const pages = usePages(['listCases', domain, tab], (paging, signal) =>
    api.call('listCases', { params: { domain }, query: { ...QUERIES[tab], ...paging } }, signal),
  )
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [closing, setClosing] = useState<readonly number[]>([])
  const [asks, { open: ask, close: keepOpen }] = useDisclosure()
  const [helps, { open: help, close }] = useDisclosure()
  const shown = new Set(pages.items.map(({ number }) => number))
  const chosen = [...selected].filter((number) => shown.has(number))
  const toggle = (number: number): void =>
    setSelected(
      new Set(selected.has(number) ? [...selected].filter((one) => one !== number) : [...selected, number]),
    )
  const mayWork = useMay('cases:write')
  const change = useChange(domain, () => setSelected(new Set()))

  function askToClose(numbers: readonly number[]): void {
    if (numbers.length === 0) return
    setClosing(numbers)
    ask()
  }
  /** The selected ones, or the one that has the focus. */
  const meant = (): number[] => {
    if (chosen.length > 0) return chosen
    const one = focusedCase()
    return one === undefined ? [] : [one]
  }
  const key =
    (run: () => unknown, isAllowed = true) =>
    () => {
      if (isAllowed && !document.activeElement?.closest(TAKES_KEYS)) run()
    }
  useHotkeys(
    [
      ['j', key(() => moveFocus(1))],
      ['k', key(() => moveFocus(-1))],
      [
        'x',
        key(() => {
          const one = focusedCase()
          if (one !== undefined) toggle(one)
        }),
      ],
      ['a', key(() => change.take(meant()), mayWork)],
      ['c', key(() => askToClose(meant()), mayWork)],
      ['shift+?', key(help)],
      ['?', key(help)],
    ],
    [],
  )
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text size="sm" className="dim" role="status">
          {chosen.length === 0 ? 'None selected' : `${countedText(chosen.length, 'case')} selected`}
        </Text>
        {mayWork && (
          <Button
            size="xs"
            variant="default"
            disabled={chosen.length === 0}
            onClick={() => void change.take(chosen)}
          >
            Assign to me
          </Button>
        )}
        {mayWork && tab !== 'closed' && (
          <Button
            size="xs"
            variant="default"
            disabled={chosen.length === 0}
            onClick={() => askToClose(chosen)}
          >
            Close
          </Button>
        )}
        <Button size="xs" variant="subtle" onClick={help}>
          Keys
        </Button>
      </Group>
      <LoadedPages pages={pages} empty={<NoCases tab={tab} />}>
        {(cases: readonly Case[]) => (
          <CasesTable domain={domain} cases={cases} selected={selected} toggle={toggle} />
        )}
      </LoadedPages>
      <KeysDialog opened={helps} close={close} />
      <ConfirmDialog
        opened={asks}
        close={keepOpen}
        title={closing.length === 1 ? `Close case #${closing[0]}?` : `Close ${closing.length} cases?`}
        action="Close"
        confirm={() => change.close(closing)}
      >
        A closed case can be opened again on its page.
      </ConfirmDialog>
    </Stack>
  )
}

function useChange(domain: string, done: () => void) {
  const user = useUser()
  const change = useApiMutation('changeCases', SHOWING_CASES)
  async function run(
    numbers: readonly number[],
    body: { status: 'closed' } | { assignee: string },
    text: string,
  ) {
    if (numbers.length === 0) return
    const changed = await attempt(text, () =>
      change.mutateAsync({ params: { domain }, body: { numbers: [...numbers], ...body } }),
    )
    if (changed) done()
  }
  return {
    take: (numbers: number[]) =>
      user ? run(numbers, { assignee: user.email }, 'Assigned to you.') : undefined,
    close: (numbers: readonly number[]) => run(numbers, { status: 'closed' }, 'Closed.'),
  }
}

const NoCases = ({ tab }: { tab: CaseTab }) => (
  <Empty title={tab === 'closed' ? 'No closed cases' : 'Nothing waits here'}>
    {tab === 'closed'
      ? 'Cases that were decided or closed are listed here as long as visits are kept.'
      : 'Rules whose action is review open cases, and so does “Open a case” on the page of a visit, an entity or a pattern.'}
  </Empty>
)
