import { type Explanation, NIL_UUID } from '@inkling/contract'
import { Text } from '@mantine/core'
import { Section } from '../../parts/section.tsx'
import { readableName } from './readable.ts'

type IdentityFacts = NonNullable<Explanation['identity']>

/** What the device was told by. */
export const Identity = ({ identity }: { identity: IdentityFacts | undefined }) => (
  <Section title="Identity">
    <Text size="sm">{decision(identity)}</Text>
    {identity && identity.components.length > 0 && (
      <Text size="sm" className="dim">
        {identity.components.map(readableName).join(', ')}
      </Text>
    )}
  </Section>
)

function decision(identity: IdentityFacts | undefined): string {
  if (!identity) return 'Nothing is kept of how the identifiers were decided.'
  if (identity.device_id === NIL_UUID)
    return 'No usable device data came in, so there is neither a device nor a visitor.'
  return `The device was told by ${identity.components.length} readings; the visitor sticks to the device.`
}
