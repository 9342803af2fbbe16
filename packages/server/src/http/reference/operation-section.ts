import type {
  Header,
  Method,
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
} from '@inkling/contract/openapi'
import { codeBlock, errorBlocks, exampleBlocks } from './example.ts'
import { type Html, html } from './html.ts'
import { inlineProse, prose } from './prose.ts'
import { curlSample, webhookSample } from './sample-request.ts'
import { fieldRow, typeLabel } from './schema-table.ts'

export interface Described {
  /** Path of an operation, or name of an event. */
  name: string
  method: Method
  operation: Operation
  isWebhook: boolean
}

const STATUS_NAMES: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  '2XX': 'Delivered',
  default: 'Not delivered',
}

/** What an operation does on the left, how it looks in use on the right. */
export function operationSection(described: Described, document: OpenApiDocument): Html {
  const { name, method, operation } = described
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolved(response, document)] as const,
  )
  const [successStatus, success] = responses.find(([status]) => status.startsWith('2')) ?? []
  return html`<article class="operation" id="${operation.operationId}">
<header>
<h3><a href="#${operation.operationId}">${operation.summary}</a>${
    operation.deprecated === true && html` <span class="tag">deprecated</span>`
  }</h3>
<p class="route"><span class="method ${method}">${method}</span><code>${breakable(name)}</code></p>
</header>
<div class="about">
<div class="prose">${prose(operation.description)}</div>
${credentials(operation)}
${parameters(operation.parameters ?? [])}
${requestBody(operation)}
<h4>Responses</h4>
<div class="responses">${responses.map(([status, response]) => responseFold(status, response, document))}</div>
</div>
<div class="samples">${samples(described)}${exampleBlocks(success?.content, successStatus)}</div>
</article>`
}

const resolved = (response: Response | { $ref: string }, { components }: OpenApiDocument): Response =>
  '$ref' in response
    ? (components.responses[response.$ref.replace('#/components/responses/', '')] ?? { description: '' })
    : response

/** A long path breaks after a slash, and nowhere else while that will do. */
const breakable = (path: string): Html =>
  html`${path.split(/(?<=\/)/).map((segment, index) => (index === 0 ? segment : html`<wbr>${segment}`))}`

function samples({ name, method, operation, isWebhook }: Described): Html {
  const request = isWebhook
    ? codeBlock('Request to your endpoint', html`${webhookSample(operation)}`)
    : codeBlock('Request', html`${curlSample(name, method, operation)}`)
  return html`${request}${exampleBlocks(operation.requestBody?.content, 'Body')}`
}

/** An empty entry among the alternatives means that it also works without. */
function credentials({ security }: Operation): Html | undefined {
  const optional = security.some((alternative) => Object.keys(alternative).length === 0)
  const names = security.flatMap((alternative) => Object.keys(alternative))
  if (names.length === 0) return undefined
  const links = names.map((name) => html`<a href="#credential-${name}"><code>${name}</code></a>`)
  return html`<p class="credentials">Credentials: ${links.map((link, index) => (index === 0 ? link : html` and ${link}`))}${optional && ' (optional)'}</p>`
}

const parameters = (all: readonly Parameter[]): Html | false =>
  all.length > 0 &&
  html`<h4>Parameters</h4>
<table class="fields"><thead class="unseen"><tr><th>Parameter</th><th>Description</th></tr></thead><tbody>
${all.map(({ name, in: place, required, schema, description }) =>
  fieldRow(name, { ...schema, description }, { note: required === true ? `${place}, required` : place }),
)}</tbody></table>`

function requestBody({ requestBody: body }: Operation): Html | undefined {
  if (!body) return undefined
  const forms = Object.entries(body.content).map(
    ([type, { schema }]) =>
      html`<li><code>${type}</code> ${typeLabel(schema)}${
        schema.description !== undefined && html`<br>${inlineProse(schema.description)}`
      }</li>`,
  )
  return html`<h4>Body</h4><div class="prose">${body.description !== undefined && prose(body.description)}<ul>${forms}</ul></div>`
}

function responseFold(status: string, response: Response, document: OpenApiDocument): Html {
  const isSuccess = status.startsWith('2')
  const forms = Object.entries(response.content ?? {}).map(
    ([type, { schema }]) => html`<li><code>${type}</code> ${typeLabel(schema)}</li>`,
  )
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => {
    const { schema, description } = resolvedHeader(header, document)
    return fieldRow(name, { ...schema, description }, { note: 'header' })
  })
  return html`<details class="response ${isSuccess ? 'success' : 'failure'}">
<summary><span class="status">${status === 'default' ? 'other' : status}</span> ${STATUS_NAMES[status]}</summary>
<div class="prose">${prose(response.description)}</div>
${forms.length > 0 && html`<ul class="forms">${forms}</ul>`}
${headers.length > 0 && html`<table class="fields"><tbody>${headers}</tbody></table>`}
${!isSuccess && errorBlocks(response.content)}
</details>
`
}

const resolvedHeader = (header: Header | { $ref: string }, { components }: OpenApiDocument): Header =>
  '$ref' in header
    ? (components.headers[header.$ref.replace('#/components/headers/', '')] ?? {
        description: '',
        schema: {},
      })
    : header
