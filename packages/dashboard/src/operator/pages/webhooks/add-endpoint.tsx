import type { NewEndpoint } from '@inkling/contract/account'
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/use-api.ts'
import { Failed } from '../../parts/failed.tsx'
import { Icon } from '../../parts/icon.tsx'

interface AddEndpointProps {
  domain: string
  added(endpoint: NewEndpoint): void
}

export function AddEndpoint({ domain, added }: AddEndpointProps) {
  const [opened, { open, close }] = useDisclosure()
  const [url, setUrl] = useState('')
  const add = useChange('addEndpoint', ['listEndpoints', 'listDomains'])

  function submit(event: FormEvent): void {
    event.preventDefault()
    add.mutate(
      { params: { domain }, body: { url: url.trim() } },
      {
        onSuccess(endpoint) {
          setUrl('')
          close()
          added(endpoint)
        },
      },
    )
  }

  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        Add an endpoint
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="Add an endpoint"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form onSubmit={submit}>
          <Stack>
            {add.error && <Failed error={add.error} />}
            <TextInput
              label="URL"
              placeholder={`https://backend.${domain}/inkling`}
              value={url}
              required
              data-autofocus
              onChange={(event) => setUrl(event.currentTarget.value)}
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
