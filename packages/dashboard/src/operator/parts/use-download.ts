import type { AccountOperationName } from '@inkling/contract/account'
import { useState } from 'react'
import type { RequestOf } from '../api/request-of.ts'
import { saveFile } from '../api/save-file.ts'
import { useApi } from '../api/use-api.ts'
import { attempt } from './attempt.ts'

export interface Download {
  /** Bytes so far while a file comes in, else undefined. */
  bytes: number | undefined
  start<Name extends AccountOperationName>(
    name: Name,
    request: RequestOf<Name>,
    fileName: string,
  ): Promise<void>
  cancel(): void
}

/** One download at a time, with its progress. */
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
      await attempt(`${fileName} is saved.`, async () =>
        saveFile(await api.open(name, request, controller.signal), fileName, setBytes),
      )
      setBytes(undefined)
    },
  }
}
