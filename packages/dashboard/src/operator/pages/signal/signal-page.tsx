import { signalTitle } from '@inkling/contract'
import type { DomainRules, SignalRule } from '@inkling/contract/account'
import { Anchor, Button, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useApiQuery } from '../../api/use-api.ts'
import { Empty, Loaded } from '../../parts/feedback.tsx'
import { Marked, words } from '../../parts/format.tsx'
import { Facts, PageHead, Section } from '../../parts/layout.tsx'
import { SignalLink } from '../../parts/signal-link.tsx'

const route = getRouteApi('/signed-in/d/$domain/signals/$signal')

export function SignalPage() {
  const { domain, signal } = route.useParams()
  const query = useApiQuery('getRules', { params: { domain } })
  return (
    <Loaded query={query}>
      {(rules) => {
        const rule = rules.signals.find(({ name }) => name === signal)
        return rule ? <Signal domain={domain} rules={rules} rule={rule} /> : <NoSignal name={signal} />
      }}
    </Loaded>
  )
}

const NoSignal = ({ name }: { name: string }) => (
  <>
    <PageHead />
    <Empty title="No such signal">The server has no signal named “{name}”.</Empty>
  </>
)

interface SignalProps {
  domain: string
  rules: DomainRules
  rule: SignalRule
}

/** What a signal means, and what raises it without any bad intent. */
const Signal = ({ domain, rules, rule }: SignalProps) => (
  <>
    <PageHead title={rule.title} about={<Marked text={rule.meaning} />}>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/d/$domain/identifications"
            params={{ domain }}
            search={{ signal: rule.name }}
          />
        )}
      >
        Identifications with this signal
      </Button>
    </PageHead>
    <Stack gap="md">
      <Section
        title="Innocent causes"
        about="Ordinary setups that raise it, too. Rule them out before you act."
      >
        <List size="sm" spacing={4}>
          {rule.innocent_causes.map((cause) => (
            <List.Item key={cause}>
              <Marked text={cause} />
            </List.Item>
          ))}
        </List>
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title="Evidence">
          <Text size="sm">
            <Marked text={rule.evidence} />
          </Text>
        </Section>
        <Section title="Score">
          <Facts facts={scoreFacts({ domain, rules, rule })} />
        </Section>
      </SimpleGrid>
    </Stack>
  </>
)

const scoreFacts = ({ domain, rules: { suppressions }, rule }: SignalProps) => {
  const own = suppressions.find(({ by }) => by === rule.name)
  const covering = suppressions.filter(({ silences }) => silences.includes(rule.name))
  const titles = (names: readonly string[]) => names.map(signalTitle).join(', ')
  return [
    {
      name: 'Weight',
      value: (
        <>
          {rule.weight}
          {rule.weight !== rule.release_weight && `, by default ${rule.release_weight}`}{' '}
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => <Link {...props} to="/d/$domain/rules" params={{ domain }} />}
          >
            All weights
          </Anchor>
        </>
      ),
    },
    { name: 'Flag', value: rule.flag === null ? 'none' : words(rule.flag) },
    { name: 'Name', value: <code>{rule.name}</code> },
    ...(own ? [{ name: 'Covers', value: titles(own.silences) }] : []),
    ...(covering.length === 0
      ? []
      : [
          {
            name: 'Covered by',
            value: covering.map(({ by }, index) => (
              <span key={by}>
                {index > 0 && ', '}
                <SignalLink domain={domain} name={by}>
                  {signalTitle(by)}
                </SignalLink>
              </span>
            )),
          },
        ]),
  ]
}
