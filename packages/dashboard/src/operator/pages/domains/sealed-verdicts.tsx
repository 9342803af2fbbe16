import type { AccountDomain, RotatedVerdictKey } from '@inkling/contract/account'
import { Button, Checkbox, Group, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { ConfirmDialog, SecretsDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'

/** The verdict that a page passes to the backend unread: its key, and whether pages get it. */
export function SealedVerdicts({ domain }: { domain: AccountDomain }) {
  const { domain: name, sealed_verdicts: sealed, has_verdict_key: hasKey } = domain
  const change = useApiMutation('changeDomain', ['listDomains', 'getDomain'])
  return (
    <Group gap="sm">
      {hasKey && (
        <Switch
          label="Sealed verdicts"
          checked={sealed}
          onChange={() =>
            void attempt(`Pages of ${name} ${sealed ? 'no longer get' : 'now get'} sealed verdicts.`, () =>
              change.mutateAsync({ params: { domain: name }, body: { sealed_verdicts: !sealed } }),
            )
          }
        />
      )}
      <VerdictKey domain={domain} />
    </Group>
  )
}

function VerdictKey({ domain: { domain, has_verdict_key: hasKey } }: { domain: AccountDomain }) {
  const [asking, setAsking] = useState(false)
  const [atOnce, setAtOnce] = useState(false)
  const [made, setMade] = useState<RotatedVerdictKey>()
  const rotate = useApiMutation('rotateVerdictKey', ['listDomains', 'getDomain'])

  async function confirm(): Promise<void> {
    const told = hasKey ? 'There is a new verdict key.' : 'The verdict key was made.'
    setMade(await attempt(told, () => rotate.mutateAsync({ params: { domain }, body: { at_once: atOnce } })))
    setAtOnce(false)
  }

  return (
    <>
      <Button size="xs" variant="default" w="fit-content" onClick={() => setAsking(true)}>
        {hasKey ? 'Replace the verdict key' : 'Make a verdict key'}
      </Button>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={hasKey ? `Replace the verdict key of ${domain}?` : `Make a verdict key for ${domain}?`}
        action={hasKey ? 'Replace' : 'Make'}
        confirm={confirm}
      >
        <Stack gap="xs">
          <Text size="sm">
            Your backend opens sealed verdicts with it.{' '}
            {hasKey
              ? 'The old key seals for a while longer, so that your backend can learn the new one before.'
              : 'Pages get sealed verdicts once you switch them on.'}
          </Text>
          {hasKey && (
            <Checkbox
              label="The old key is in the wrong hands: seal with the new one at once"
              checked={atOnce}
              onChange={() => setAtOnce(!atOnce)}
            />
          )}
        </Stack>
      </ConfirmDialog>
      <SecretsDialog
        title={`Verdict key of ${domain}`}
        about={
          made && (
            <>
              Copy it now: it is not shown again. It seals from <Time at={made.seals_from} />.
            </>
          )
        }
        secrets={
          made && [
            { name: 'Key ID', value: made.key_id },
            { name: 'Verdict key', value: made.key },
          ]
        }
        close={() => setMade(undefined)}
      />
    </>
  )
}
