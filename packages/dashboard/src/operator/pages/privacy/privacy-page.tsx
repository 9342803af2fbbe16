import { SEARCH_TYPES, type SearchType } from '@inkling/contract'
import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { ConfirmDialog, DANGER } from '../../parts/dialogs.tsx'
import { CancelDownload, useDownload } from '../../parts/download.tsx'
import { attempt, ErrorAlert } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icon.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { PageHead, Section } from '../../parts/layout.tsx'
import { identifierProblem } from '../identifications/table-search.ts'
import { ErasurePreview, type Included } from './erasure-preview.tsx'

const route = getRouteApi('/signed-in/d/$domain/privacy')

export function PrivacyPage() {
  const { domain } = route.useParams()
  const [type, setType] = useState<SearchType>('user_hid')
  const [text, setText] = useState('')
  const value = text.trim()
  const problem = value === '' ? undefined : identifierProblem({ type, value })
  const ready = value !== '' && problem === undefined
  return (
    <>
      <PageHead about={`Export or erase the data that ${domain} has about one person.`} />
      <Section title="Person" about="All data with exactly this identifier.">
        <Group align="flex-start" gap="xs">
          <Select
            label="Identifier"
            data={SEARCH_TYPES.map((name) => ({ value: name, label: IDENTIFIER_LABELS[name] }))}
            value={type}
            allowDeselect={false}
            onChange={(chosen) => setType((chosen as SearchType | null) ?? type)}
            w={150}
          />
          <TextInput
            label="Value"
            value={text}
            error={problem}
            onChange={(event) => setText(event.currentTarget.value)}
            flex="1 1 260px"
          />
        </Group>
        <Actions domain={domain} type={type} value={value} ready={ready} />
      </Section>
    </>
  )
}

interface ActionsProps {
  domain: string
  type: SearchType
  value: string
  ready: boolean
}

function Actions({ domain, type, value, ready }: ActionsProps) {
  const download = useDownload()
  const [asking, setAsking] = useState(false)
  const erase = useApiMutation('eraseIdentifier', ['searchIdentifications', 'getEntity', 'getIdentification'])
  const preview = useApiMutation('previewErasure', [])
  const [included, setIncluded] = useState<Included[]>([])
  const params = { domain }
  function askToErase() {
    setIncluded([])
    preview.mutate({ params, body: { type, value, include: [] } }, { onSuccess: () => setAsking(true) })
  }
  return (
    <Stack gap="sm">
      <Group>
        {download.bytes === undefined ? (
          <Button
            variant="default"
            disabled={!ready}
            leftSection={<Icon name="download" size={16} />}
            onClick={() =>
              void download.start(
                'exportIdentifier',
                { params, query: { type, value } },
                `${domain}-${type}.json`,
              )
            }
          >
            Export as JSON
          </Button>
        ) : (
          <CancelDownload download={download} />
        )}
        <Button color={DANGER} disabled={!ready} loading={preview.isPending} onClick={askToErase}>
          Erase…
        </Button>
      </Group>
      {preview.error && <ErrorAlert error={preview.error} />}
      {erase.data && (
        <Alert color="teal" role="status" icon={<Icon name="check" />}>
          {erase.data.rows === 1
            ? '1 identification was erased.'
            : `${erase.data.rows} identifications were erased.`}
        </Alert>
      )}
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title="Erase permanently?"
        action="Erase"
        typed={value}
        confirm={() =>
          attempt('The data was erased.', () =>
            erase.mutateAsync({ params, body: { type, value, include: included } }),
          )
        }
      >
        {preview.data && <ErasurePreview preview={preview.data} included={included} include={setIncluded} />}
        This erases its identifications with their versions, snapshots, queued events and delivery bodies. It
        cannot be undone.
      </ConfirmDialog>
    </Stack>
  )
}
