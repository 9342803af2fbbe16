import type { NewDomainKeys } from '@inkling/contract/account'
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { Failed } from '../../parts/failed.tsx'
import { Icon } from '../../parts/icon.tsx'

export function AddDomain({ added }: { added(keys: NewDomainKeys): void }) {
  const [opened, { open, close }] = useDisclosure()
  const [domain, setDomain] = useState('')
  const add = useChange('addDomain', ['listDomains'])

  function submit(event: FormEvent): void {
    event.preventDefault()
    add.mutate(
      { body: { domain: domain.trim() } },
      {
        onSuccess(keys) {
          setDomain('')
          close()
          added(keys)
        },
      },
    )
  }

  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        Add a domain
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="Add a domain"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form onSubmit={submit}>
          <Stack>
            {add.error && <Failed error={add.error} />}
            <TextInput
              label="Domain"
              description="Lower case, without scheme, port, path or www."
              placeholder="shop.example"
              value={domain}
              required
              data-autofocus
              onChange={(event) => setDomain(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={add.isPending}>
                Add
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
