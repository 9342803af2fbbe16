import { SEARCH_TYPES, type SearchType } from '@inkling/contract'
import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { sizeText } from '../../api/save-file.ts'
import { useChange } from '../../api/use-api.ts'
import { attempt } from '../../parts/attempt.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Icon } from '../../parts/icon.tsx'
import { IDENTIFIER_LABELS } from '../../parts/identifier.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { useDownload } from '../../parts/use-download.ts'
import { whyNotSearchable } from '../identifications/read-search.ts'

const route = getRouteApi('/signed-in/d/$domain/privacy')

export function PrivacyPage() {
  const { domain } = route.useParams()
  const [type, setType] = useState<SearchType>('user_hid')
  const [text, setText] = useState('')
  const value = text.trim()
  const problem = value === '' ? undefined : whyNotSearchable({ type, value })
  const ready = value !== '' && problem === undefined
  return (
    <>
      <PageHead
        title="Privacy"
        about={`What is kept of one person in ${domain}: hand it out, or erase it.`}
      />
      <Section title="Who" about="Everything that carries exactly this identifier.">
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
  const { bytes, start, cancel } = useDownload()
  const [asking, setAsking] = useState(false)
  const erase = useChange('eraseIdentifier', ['searchIdentifications', 'getEntity', 'getIdentification'])
  const params = { domain }
  return (
    <Stack gap="sm">
      <Group>
        {bytes === undefined ? (
          <Button
            variant="default"
            disabled={!ready}
            leftSection={<Icon name="download" size={16} />}
            onClick={() =>
              void start('exportIdentifier', { params, query: { type, value } }, `${domain}-${type}.json`)
            }
          >
            Export as JSON
          </Button>
        ) : (
          <Button variant="default" onClick={cancel}>
            Cancel, {sizeText(bytes)} so far
          </Button>
        )}
        <Button color="red" disabled={!ready} onClick={() => setAsking(true)}>
          Erase…
        </Button>
      </Group>
      {erase.data && (
        <Alert color="teal" role="status" icon={<Icon name="check" />}>
          {erase.data.rows === 1
            ? '1 identification was erased.'
            : `${erase.data.rows} identifications were erased.`}
        </Alert>
      )}
      <Confirm
        opened={asking}
        close={() => setAsking(false)}
        title="Erase for good?"
        action="Erase"
        typed={value}
        confirm={() => attempt('It was erased.', () => erase.mutateAsync({ params, body: { type, value } }))}
      >
        Its identifications go with their versions, snapshots, waiting events and delivery bodies. Nothing
        brings them back.
      </Confirm>
    </Stack>
  )
}
