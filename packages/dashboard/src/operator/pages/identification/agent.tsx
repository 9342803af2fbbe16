import type { DeclaredAgent } from '@inkling/contract'
import { Alert, Anchor, Text } from '@mantine/core'
import { Time, words } from '../../parts/format.tsx'
import { Facts, Section } from '../../parts/layout.tsx'

const STANDINGS: Record<string, string> = {
  verified: 'Proven: its operator vouches for it. That says who it is, not that it is welcome.',
  signed: 'Signed by an operator that the catalogue does not have. Anybody with a domain can sign.',
  spoofed: 'The address is not one of the operator that it claims.',
  unknown: 'Neither proven nor refuted.',
}

/** The program that the visit declares, with what it claims and what was proven kept apart. */
export const Agent = ({ agent }: { agent: DeclaredAgent | undefined }) =>
  agent && (
    <Section title="Declared agent" about={STANDINGS[agent.identity] ?? agent.identity}>
      {agent.identity === 'spoofed' && (
        <Alert color="orange" title={`This is not ${agent.name}`} p="sm">
          {agent.operator ?? 'Its operator'} names the addresses that its agents come from, and this is none
          of them.
        </Alert>
      )}
      <Facts
        facts={[
          { name: 'Agent', value: agent.name },
          ...(agent.operator === undefined ? [] : [{ name: 'Operator', value: agent.operator }]),
          ...(agent.category === undefined ? [] : [{ name: 'Kind', value: words(agent.category) }]),
          ...(agent.purpose === undefined ? [] : [{ name: 'Purpose', value: words(agent.purpose) }]),
          {
            name: 'Claims',
            value: agent.claims.map(({ by, value }) => `${value} (${words(by)})`).join(', '),
          },
          { name: 'Proof', value: agent.proof === undefined ? 'none' : words(agent.proof) },
        ]}
      />
      {agent.signature && <Signature signature={agent.signature} />}
    </Section>
  )

const Signature = ({ signature }: { signature: NonNullable<DeclaredAgent['signature']> }) => (
  <>
    <Facts
      facts={[
        {
          name: 'Signature',
          value:
            signature.reason === undefined
              ? words(signature.state)
              : `${words(signature.state)}: ${words(signature.reason)}`,
        },
        ...(signature.directory === undefined ? [] : [{ name: 'Keys from', value: signature.directory }]),
        {
          name: 'Covers',
          value: <code>{signature.components.join(' ') || 'nothing that can be read'}</code>,
        },
        ...(signature.expires_at === undefined
          ? []
          : [{ name: 'Expires', value: <Time at={signature.expires_at} /> }]),
      ]}
    />
    {signature.reason === 'wrong_signature' && (
      <Text size="sm">
        A proxy in front of Inkling that changes host or path breaks honest signatures, too:{' '}
        <Anchor href="https://www.rfc-editor.org/rfc/rfc9421#section-7.2.8">what a signature covers</Anchor>{' '}
        must arrive as it was sent.
      </Text>
    )}
  </>
)
