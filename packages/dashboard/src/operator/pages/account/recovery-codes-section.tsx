import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Section } from '../../parts/layout.tsx'

interface RecoveryCodesSectionProps {
  left: number
  showCodes(codes: readonly string[]): void
}

export function RecoveryCodesSection({ left, showCodes }: RecoveryCodesSectionProps) {
  const [asking, setAsking] = useState(false)
  const renew = useApiMutation('renewRecoveryCodes', ['getSecurity'])
  async function confirm(): Promise<void> {
    const answer = await attempt('The recovery codes were replaced.', () => renew.mutateAsync({}))
    if (answer) showCodes(answer.recovery_codes)
  }
  return (
    <Section title="Recovery codes" about="Each signs you in once when your phone or passkey is lost.">
      <Group>
        <Text size="sm">{left === 1 ? '1 code is left.' : `${left} codes are left.`}</Text>
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          Replace them
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title="Replace the recovery codes?"
        action="Replace"
        confirm={confirm}
      >
        The codes that you have stop working.
      </ConfirmDialog>
    </Section>
  )
}
