import { pathParameter } from './content.ts'
import type { Operation, Parameter } from './document.ts'
import { type Deployment, type PublicUrls, serversOf } from './surface.ts'

export const OLDER_TAG = 'Older forms'

/** Begins a description that ends with the operation to use instead. */
export const OLDER =
  'An older form that carries its credentials in the path, where logs and proxies see them. Prefer'

/** A key as part of a path. */
export const keyParameter = (name: string, description: string): Parameter =>
  pathParameter(name, { type: 'string', pattern: '^[0-9a-f]{32}$' }, description)

export type Form = Pick<
  Operation,
  'operationId' | 'summary' | 'description' | 'parameters' | 'requestBody' | 'responses'
>

/** The credentials are path parameters, so no security scheme applies. */
export const olderOperation = (
  deployment: Deployment,
  host: keyof PublicUrls,
  errors: Operation['responses'],
  { responses, ...form }: Form,
): Operation => ({
  ...form,
  tags: [OLDER_TAG],
  servers: serversOf(deployment, host),
  security: [],
  responses: { ...errors, ...responses },
})
