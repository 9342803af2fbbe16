import type { SavedDecisionRule } from '@inkling/contract/account'
import { Button, Group, Stack, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import { useApiMutation, useApiQuery } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt, Empty, Loaded } from '../../parts/feedback.tsx'
import { PageHead, Section } from '../../parts/layout.tsx'
import { WarnBeforeLeaving } from '../../parts/warn-before-leaving.tsx'
import { DecisionBackTestPanel } from './back-test-panel.tsx'
import type { ConditionProblem } from './condition-editor.tsx'
import { draftOf, EMPTY_DRAFT, ruleTextOf, sameText } from './draft-rule.ts'
import { RuleForm } from './rule-form.tsx'
import { RuleHits } from './rule-hits.tsx'
import { RuleState } from './rule-state.tsx'
import { RuleVersions } from './rule-versions.tsx'
import { TryOut } from './try-out.tsx'

const route = getRouteApi('/signed-in/d/$domain/decision-rules/$ruleId')

const REFRESH_MS = 5_000
const OUTDATED = ['listDecisionRules', 'listDecisionRuleVersions'] as const

export function RulePage() {
  const { domain, ruleId } = route.useParams()
  const query = useApiQuery('listDecisionRules', { params: { domain } }, { refetchInterval: REFRESH_MS })
  if (ruleId === 'new') return <Rule key="new" domain={domain} rule={undefined} />
  return (
    <Loaded query={query}>
      {({ rules }) => {
        const rule = rules.find(({ id }) => String(id) === ruleId)
        if (rule) return <Rule key={ruleId} domain={domain} rule={rule} />
        return (
          <>
            <PageHead />
            <Empty title="No such rule">It may have been removed. Decisions keep its name and version.</Empty>
          </>
        )
      }}
    </Loaded>
  )
}

interface RuleProps {
  domain: string
  /** Undefined for a new one. */
  rule: SavedDecisionRule | undefined
}

function Rule({ domain, rule }: RuleProps) {
  const mayChange = useMay('rules:write')
  const [draft, setDraft] = useState(() => (rule ? draftOf(rule) : EMPTY_DRAFT))
  const [loads, setLoads] = useState(0)
  const [problem, setProblem] = useState<ConditionProblem | null>(null)
  const text = ruleTextOf(draft)
  const saved = rule && ruleTextOf(draftOf(rule))
  const isChanged = !sameText(text, saved) && (rule !== undefined || draft.condition !== '')
  const load = (next: typeof draft) => {
    setDraft(next)
    setProblem(null)
    setLoads(loads + 1)
  }
  const tried = text && problem === null ? { ...text, ...(rule && { id: rule.id }) } : null
  return (
    <Stack>
      <PageHead
        title={rule?.name ?? 'New rule'}
        about={
          rule
            ? `Version ${rule.version}. In shadow it is counted and decides nothing.`
            : 'It is off until you change its state.'
        }
      >
        {rule && <RuleState domain={domain} rule={rule} />}
        {rule && mayChange && <RemoveRule domain={domain} rule={rule} />}
      </PageHead>
      <Section title="Rule">
        <RuleForm
          draft={draft}
          set={setDraft}
          readOnly={!mayChange}
          loads={loads}
          problem={problem}
          setProblem={setProblem}
        />
        {mayChange && (
          <Group gap="xs">
            <SaveRule domain={domain} rule={rule} text={isChanged && problem === null ? text : undefined} />
            <Button
              variant="default"
              disabled={!isChanged}
              onClick={() => load(rule ? draftOf(rule) : EMPTY_DRAFT)}
            >
              Discard changes
            </Button>
          </Group>
        )}
      </Section>
      {rule && <RuleHits rule={rule} />}
      {mayChange && (
        <TryOut
          domain={domain}
          about="What this rule alone, as it is above, answers about one visit. Nothing is stored."
          rule={tried}
        />
      )}
      <DecisionBackTestPanel
        domain={domain}
        about="Asks about stored visits again with this rule as it is above, as if it were on, beside the others, and compares. It changes nothing."
        rule={tried}
        purposes={draft.purposes}
      />
      {rule && (
        <RuleVersions
          domain={domain}
          rule={rule}
          {...(mayChange && { load: (version) => load(draftOf(version)) })}
        />
      )}
      <WarnBeforeLeaving isChanged={mayChange && isChanged} what="the rule" />
    </Stack>
  )
}

interface SaveRuleProps extends RuleProps {
  /** Undefined while there is nothing to save. */
  text: ReturnType<typeof ruleTextOf>
}

function SaveRule({ domain, rule, text }: SaveRuleProps) {
  const add = useApiMutation('addDecisionRule', OUTDATED)
  const change = useApiMutation('changeDecisionRule', OUTDATED)
  const navigate = useNavigate()

  async function save(body: NonNullable<typeof text>): Promise<void> {
    if (rule) {
      await attempt('A new version was saved.', () =>
        change.mutateAsync({ params: { domain, rule_id: rule.id }, body }),
      )
      return
    }
    const added = await attempt('The rule was saved. It is off.', () =>
      add.mutateAsync({ params: { domain }, body }),
    )
    if (added)
      await navigate({
        to: '/d/$domain/decision-rules/$ruleId',
        params: { domain, ruleId: String(added.id) },
        replace: true,
        // What was typed is saved.
        ignoreBlocker: true,
      })
  }

  return (
    <Button
      disabled={!text}
      loading={add.isPending || change.isPending}
      onClick={() => {
        if (text) void save(text)
      }}
    >
      {rule ? 'Save as a new version' : 'Save rule'}
    </Button>
  )
}

function RemoveRule({ domain, rule: { id, name } }: { domain: string; rule: SavedDecisionRule }) {
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  const remove = useApiMutation('removeDecisionRule', OUTDATED)
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={`Remove “${name}”?`}
        action="Remove"
        confirm={async () => {
          const done = await attempt('The rule was removed.', async () => {
            await remove.mutateAsync({ params: { domain, rule_id: id } })
            return true
          })
          if (done)
            await navigate({ to: '/d/$domain/decision-rules', params: { domain }, ignoreBlocker: true })
        }}
      >
        <Text size="sm">
          It decides nothing from then on, and cannot be brought back. Decisions keep its versions.
        </Text>
      </ConfirmDialog>
    </>
  )
}
