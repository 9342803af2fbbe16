import type { Passkey } from '@inkling/contract/account'
import { Button, Table, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { makePasskey } from '../../api/passkeys.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { AddDialog, ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Time } from '../../parts/format.tsx'
import { ScrollTable, Section } from '../../parts/layout.tsx'

interface PasskeysSectionProps {
  passkeys: readonly Passkey[]
  showCodes(codes: readonly string[]): void
}

export const PasskeysSection = ({ passkeys, showCodes }: PasskeysSectionProps) => (
  <Section
    title="Passkeys"
    about="A passkey of this device, your phone or a security key signs you in without a password, and is asked for after one."
  >
    {passkeys.length > 0 && (
      <ScrollTable label="Passkeys" head={['Name', 'Added', 'Last used', 'Access']} miw={560}>
        {passkeys.map((passkey) => (
          <Table.Tr key={passkey.id}>
            <Table.Td>{passkey.name}</Table.Td>
            <Table.Td>
              <Time at={passkey.created_at} />
            </Table.Td>
            <Table.Td>{passkey.used_at === null ? 'never' : <Time at={passkey.used_at} />}</Table.Td>
            <Table.Td>
              <RemovePasskey passkey={passkey} />
            </Table.Td>
          </Table.Tr>
        ))}
      </ScrollTable>
    )}
    <div>
      <AddPasskey showCodes={showCodes} />
    </div>
  </Section>
)

function AddPasskey({ showCodes }: Pick<PasskeysSectionProps, 'showCodes'>) {
  const api = useApi()
  const queries = useQueryClient()
  const disclosure = useDisclosure()
  const add = useMutation({
    async mutationFn(name: string) {
      const { login_token, options } = await api.call('startPasskey', {})
      const passkey = await makePasskey(options)
      return api.call('addPasskey', { body: { login_token, name, passkey } })
    },
    async onSuccess({ recovery_codes }) {
      disclosure[1].close()
      showCodes(recovery_codes)
      await queries.invalidateQueries({ queryKey: ['getSecurity'] })
    },
  })

  function submit(event: FormEvent<HTMLFormElement>): void {
    add.mutate(String(new FormData(event.currentTarget).get('name')))
  }

  return (
    <AddDialog title="Add a passkey" disclosure={disclosure} mutation={add} submit={submit}>
      <TextInput
        label="Name"
        description="A name that you will recognise, such as laptop or phone."
        name="name"
        maxLength={60}
        autoComplete="off"
        required
        data-autofocus
      />
    </AddDialog>
  )
}

function RemovePasskey({ passkey: { id, name } }: { passkey: Passkey }) {
  const [asking, setAsking] = useState(false)
  const remove = useApiMutation('removePasskey', ['getSecurity'])
  return (
    <>
      <Button size="xs" variant="default" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={`Remove ${name}?`}
        action="Remove"
        confirm={() =>
          attempt('The passkey was removed.', () => remove.mutateAsync({ params: { passkey_id: id } }))
        }
      >
        It no longer signs you in. Your device still lists it until you delete it there.
      </ConfirmDialog>
    </>
  )
}
