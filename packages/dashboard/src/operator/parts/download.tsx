import type { AccountOperationName } from '@inkling/contract/account'
import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import type { RequestOf } from '../api/request.ts'
import { useMay } from '../api/rights.ts'
import { useApi } from '../api/use-api.ts'
import { attempt } from './feedback.tsx'
import { sizeText } from './format.tsx'
import { Icon } from './icon.tsx'

interface Download {
  /** Bytes received so far; undefined when nothing is being downloaded. */
  bytes: number | undefined
  start<Name extends AccountOperationName>(
    name: Name,
    request: RequestOf<Name>,
    fileName: string,
  ): Promise<void>
  cancel(): void
}

/** Downloads the file that an operation streams, one at a time. */
export function useDownload(): Download {
  const api = useApi()
  const [bytes, setBytes] = useState<number>()
  const [running, setRunning] = useState<AbortController>()
  return {
    bytes,
    cancel: () => running?.abort(new Error('The download was cancelled.')),
    async start(name, request, fileName) {
      const controller = new AbortController()
      setRunning(controller)
      setBytes(0)
      await attempt(`${fileName} was downloaded.`, async () =>
        saveFile(await api.stream(name, request, controller.signal), fileName, setBytes),
      )
      setBytes(undefined)
    },
  }
}

interface ExportMenuProps {
  download: Download
  save(format: 'csv' | 'json'): void
}

/** Exports every match, not only the rows shown. */
export function ExportMenu({ download, save }: ExportMenuProps) {
  if (download.bytes !== undefined) return <CancelDownload download={download} />
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={16} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save('csv')}>All matches as CSV</Menu.Item>
        <Menu.Item onClick={() => save('json')}>All matches as JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface ExportCsvProps<Name extends AccountOperationName> {
  operation: Name
  request: RequestOf<Name>
  fileName: string
}

/** Exports what an operation streams as CSV, for those who may export. */
export function ExportCsv<Name extends AccountOperationName>({
  operation,
  request,
  fileName,
}: ExportCsvProps<Name>) {
  const download = useDownload()
  const mayExport = useMay('visits:export')
  if (!mayExport) return null
  if (download.bytes !== undefined) return <CancelDownload download={download} />
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      onClick={() => void download.start(operation, request, fileName)}
    >
      Export as CSV
    </Button>
  )
}

/** Stands in for the button that started a download while it runs. */
export const CancelDownload = ({ download: { bytes = 0, cancel } }: { download: Download }) => (
  <Button variant="default" leftSection={<Icon name="cross" size={16} />} onClick={cancel}>
    Cancel ({sizeText(bytes)} so far)
  </Button>
)

/** Reads a response to its end and offers it as a file. */
async function saveFile(response: Response, name: string, onProgress: (bytes: number) => void) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of chunksOf(response)) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    onProgress(bytes)
  }
  const type = response.headers.get('content-type') ?? 'application/octet-stream'
  const url = URL.createObjectURL(new Blob(chunks, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Not every supported browser can iterate over a stream. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
