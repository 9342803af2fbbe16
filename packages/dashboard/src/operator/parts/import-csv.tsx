import type { AccountAnswer } from '@inkling/contract/account'
import { Alert, Button, FileInput, Group, List, Modal, ScrollArea, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { RequestOf } from '../api/request.ts'
import { countedText } from './format.tsx'
import { Icon } from './icon.tsx'

type Import = 'importLists' | 'importLabels'

interface ImportCsvProps {
  domain: string
  /** What a row is: an entry or a label. */
  row: string
  load: UseMutationResult<AccountAnswer<Import>, Error, RequestOf<Import>>
  /** Which columns the file has. */
  children: ReactNode
}

/** Imports rows from a CSV file: all of them, or none and every row that is wrong. */
export function ImportCsv({ domain, row, load, children }: ImportCsvProps) {
  const [opened, setOpened] = useState(false)
  const [file, setFile] = useState<File | null>(null)

  function close(): void {
    setOpened(false)
    setFile(null)
    load.reset()
  }

  async function submit(chosen: File): Promise<void> {
    load.mutate(
      { params: { domain }, body: { csv: await chosen.text() } },
      {
        onSuccess({ rows, replaced }) {
          notifications.show({
            message: `${countedText(rows, 'row')} imported, ${replaced} of them replaced ${row}.`,
            color: 'teal',
          })
          close()
        },
      },
    )
  }

  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Import CSV
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="Import CSV"
        centered
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (file) void submit(file)
          }}
        >
          <Stack>
            <Text size="sm">{children}</Text>
            <FileInput
              label="File"
              placeholder="Choose a CSV file"
              accept=".csv,text/csv"
              value={file}
              required
              onChange={(chosen) => {
                setFile(chosen)
                load.reset()
              }}
            />
            {load.error && <Problems message={load.error.message} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" disabled={!file} loading={load.isPending}>
                Import
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}

/** The server tells all wrong rows in one message. */
function Problems({ message }: { message: string }) {
  const problems = message.split('\n')
  return (
    <Alert color="red" variant="light" icon={<Icon name="alert" />} title="Nothing was imported" role="alert">
      <ScrollArea.Autosize
        mah={220}
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Wrong rows' }}
      >
        <List size="sm">
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </Alert>
  )
}
