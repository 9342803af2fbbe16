import { Button, Group, Stack } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMay } from '../../api/rights.ts'
import { useApiQuery } from '../../api/use-api.ts'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/layout.tsx'
import { DecisionBackTestPanel } from './back-test-panel.tsx'
import { ReadyMade } from './ready-made.tsx'
import { RulesTable } from './rules-table.tsx'
import { Thresholds } from './thresholds.tsx'
import { TryOut } from './try-out.tsx'

const route = getRouteApi('/signed-in/d/$domain/decision-rules')

const REFRESH_MS = 10_000

export function DecisionRulesPage() {
  const { domain } = route.useParams()
  const mayChange = useMay('rules:write')
  const query = useApiQuery('listDecisionRules', { params: { domain } }, { refetchInterval: REFRESH_MS })
  return (
    <>
      <PageHead about="What your backend is told when it asks about a visit. Where no rule decides, the band of the score does. Hits are those of 30 days.">
        {mayChange && (
          <Group gap="xs">
            <ReadyMade domain={domain} />
            <Button
              leftSection={<Icon name="plus" size={16} />}
              renderRoot={(props) => (
                <Link {...props} to="/d/$domain/decision-rules/$ruleId" params={{ domain, ruleId: 'new' }} />
              )}
            >
              New rule
            </Button>
          </Group>
        )}
      </PageHead>
      <Loaded query={query}>
        {({ rules, thresholds }) => (
          <Stack>
            {rules.length === 0 ? (
              <Empty title="No rules yet">
                The band of the score decides: trusted is allowed, suspicious is challenged, dangerous is
                denied. Start with a ready-made set, or write a rule.
              </Empty>
            ) : (
              <RulesTable domain={domain} rules={rules} />
            )}
            <Thresholds key={`${domain} ${JSON.stringify(thresholds)}`} domain={domain} saved={thresholds} />
            {mayChange && (
              <TryOut
                domain={domain}
                about="What the rules that are on answer about one visit. Nothing is stored."
              />
            )}
            <DecisionBackTestPanel
              domain={domain}
              about="Asks about stored visits again with the rules above, those in shadow as if they were on, and compares. It changes nothing."
              purposes={null}
            />
          </Stack>
        )}
      </Loaded>
    </>
  )
}
