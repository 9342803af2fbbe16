import { type Explanation, NIL_UUID } from '@inkling/contract'
import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { componentName } from '../../../evidence/evidence-fields.ts'
import { Names } from '../../parts/badges.tsx'
import { Identifier } from '../../parts/identifier.tsx'
import { Facts, Section } from '../../parts/layout.tsx'
import { confidenceText, decisionText, keyHistoryText, rarityText } from './words.ts'

type IdentityFacts = NonNullable<Explanation['identity']>
type Decision = NonNullable<IdentityFacts['decision']>

/** Why the visit belongs to this device: what matched, changed, or could not be compared. */
export const Identity = ({ identity }: { identity: IdentityFacts | undefined }) => (
  <Section title="Identity">
    <Text size="sm">{summary(identity)}</Text>
    {identity?.decision && <DecisionFacts decision={identity.decision} deviceId={identity.device_id} />}
    {identity && !identity.decision && identity.components.length > 0 && (
      <Text size="sm" className="dim">
        {identity.components.map(componentName).join(', ')}
      </Text>
    )}
  </Section>
)

function summary(identity: IdentityFacts | undefined): string {
  if (!identity) return 'The decision about its identifiers was not stored.'
  if (identity.device_id === NIL_UUID)
    return 'No usable device data was received, so there is neither a device nor a visitor ID.'
  if (identity.decision) return decisionText(identity.decision)
  return `The device was recognised by ${identity.components.length} properties; the visitor ID follows the device.`
}

/** Why they are two devices is seen best side by side. */
function CompareLink({ a, b }: { a: string; b: string }) {
  const { domain = '' } = useParams({ strict: false })
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link {...props} to="/d/$domain/compare" params={{ domain }} search={{ a, b }} />
      )}
    >
      Compare
    </Anchor>
  )
}

interface DecisionFactsProps {
  decision: Decision
  deviceId: string
}

const DecisionFacts = ({ decision, deviceId }: DecisionFactsProps) => (
  <>
    {decision.hardware_flips.length > 0 && (
      <Alert color="orange" title="Different hardware" p="sm">
        {decision.hardware_flips.map(componentName).join(', ')}: these do not change on a machine, so it was
        repaired or replaced, or the browser fakes them.
      </Alert>
    )}
    <Facts
      facts={[
        { name: 'Confidence', value: confidenceText(decision.confidence) },
        { name: 'Look-alikes', value: rarityText(decision) },
        {
          name: 'Devices compared',
          value: decision.candidates === 0 ? 'none' : decision.candidates,
        },
        ...(decision.key_history === undefined
          ? []
          : [{ name: 'Key of the browser', value: keyHistoryText(decision.key_history) }]),
        ...(decision.separated_from === undefined
          ? []
          : [
              {
                name: 'Separated from',
                value: (
                  <>
                    <Identifier type="device_id" value={decision.separated_from} copy />
                    <CompareLink a={decision.separated_from} b={deviceId} />
                  </>
                ),
              },
            ]),
        ...(decision.merged === undefined
          ? []
          : [
              {
                name: 'Corrected from',
                value: <Identifier type="device_id" value={decision.merged} copy />,
              },
            ]),
      ]}
    />
    <Components title="Unchanged" names={decision.agreed} color="teal" />
    <Components title="Changed since the last visit" names={decision.changed} color="orange" />
    <Components
      title="Not comparable: missing, or randomised by the browser"
      names={decision.absent}
      color="gray"
    />
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
      <Names names={names.map(componentName)} color={color} />
    </Stack>
  )
