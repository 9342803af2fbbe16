import { type Explanation, NIL_UUID } from '@inkling/contract'
import { Alert, Badge, Group, Stack, Text } from '@mantine/core'
import { Facts } from '../../parts/facts.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Section } from '../../parts/section.tsx'
import { componentName, confidenceText, decisionText, rarityText } from './identity-words.ts'
import { readableName } from './readable.ts'

type IdentityFacts = NonNullable<Explanation['identity']>
type Decision = NonNullable<IdentityFacts['decision']>

/** Why it is this device: what agreed and how rare that is, what changed, and what could not be compared. */
export const Identity = ({ identity }: { identity: IdentityFacts | undefined }) => (
  <Section title="Identity">
    <Text size="sm">{summary(identity)}</Text>
    {identity?.decision && <DecisionFacts decision={identity.decision} />}
    {identity && !identity.decision && identity.components.length > 0 && (
      <Text size="sm" className="dim">
        {identity.components.map(readableName).join(', ')}
      </Text>
    )}
  </Section>
)

function summary(identity: IdentityFacts | undefined): string {
  if (!identity) return 'Nothing is kept of how the identifiers were decided.'
  if (identity.device_id === NIL_UUID)
    return 'No usable device data came in, so there is neither a device nor a visitor.'
  if (identity.decision) return decisionText(identity.decision)
  return `The device was told by ${identity.components.length} readings; the visitor sticks to the device.`
}

const DecisionFacts = ({ decision }: { decision: Decision }) => (
  <>
    {decision.hardware_flips.length > 0 && (
      <Alert color="orange" title="Other hardware than before" p="sm">
        {decision.hardware_flips.map(componentName).join(', ')}: a machine has these for life, so it was
        repaired, replaced, or the browser lies about them.
      </Alert>
    )}
    <Facts
      facts={[
        { name: 'Confidence', value: confidenceText(decision.confidence) },
        { name: 'How rare it looks', value: rarityText(decision) },
        {
          name: 'Devices compared',
          value: decision.candidates === 0 ? 'none came into question' : decision.candidates,
        },
        ...(decision.merged === undefined
          ? []
          : [
              {
                name: 'Was taken for',
                value: <Identifier type="device_id" value={decision.merged} copy />,
              },
            ]),
      ]}
    />
    <Components title="As the device had them" names={decision.agreed} color="teal" />
    <Components title="Changed since the device was last seen" names={decision.changed} color="orange" />
    <Components title="Missing, or noise that the browser adds" names={decision.absent} color="gray" />
  </>
)

interface ComponentsProps {
  title: string
  names: readonly string[]
  color: string
}

const Components = ({ title, names, color }: ComponentsProps) =>
  names.length === 0 ? null : (
    <Stack gap={6}>
      <Text size="sm" className="dim">
        {title} ({names.length})
      </Text>
      <Group gap={4}>
        {names.map((name) => (
          <Badge key={name} variant="outline" color={color} c="inherit" tt="none" fw={500}>
            {componentName(name)}
          </Badge>
        ))}
      </Group>
    </Stack>
  )
