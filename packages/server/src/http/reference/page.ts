import { METHODS, type OpenApiDocument, type PathItem, type SecurityScheme } from '@inkling/contract/openapi'
import { type Html, html } from './html.ts'
import { type Described, operationSection } from './operation-section.ts'
import { inlineProse, prose } from './prose.ts'
import { schemaAnchor, schemaTable } from './schema-table.ts'

/** The whole reference as one page without script: everything is there when it arrives. */
export function referencePage(document: OpenApiDocument, schemaNames: readonly string[]): string {
  const { info } = document
  const all = [...described(document.paths, false), ...described(document.webhooks, true)]
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: all.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const navigation = navigationList(groups, document)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fcfcfb">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0f1220">
<title>${info.title} API reference</title>
<link rel="icon" href="docs/inkling.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/reference.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<aside class="side">
<a class="brand" href="#top"><img src="docs/inkling.svg" alt="" width="24" height="24">${info.title}</a>
<nav class="wide" aria-label="Contents">${navigation}</nav>
<a class="narrow" href="#contents">Contents</a>
</aside>
<main id="content">
<header class="intro" id="top">
<h1>API reference</h1>
<p class="lead">${info.summary}. Version ${info.version}.</p>
<div class="prose">${prose(info.description)}</div>
<p class="downloads"><a href="openapi.json">OpenAPI 3.1 document</a></p>
</header>
${basics(document)}
${groups.map(
  ({ name, description, operations }) => html`<section class="group" id="${anchorOf(name)}">
<header><h2>${name}</h2><p>${description}</p></header>
${operations.map((operation) => operationSection(operation, document))}
</section>`,
)}
${schemas(document, schemaNames)}
</main>
<nav class="narrow" id="contents" aria-label="Contents">${navigation}</nav>
</body>
</html>
`.text
}

const described = (items: Record<string, PathItem>, isWebhook: boolean): Described[] =>
  Object.entries(items).flatMap(([name, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ name, method, operation, isWebhook }] : []
    }),
  )

const anchorOf = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(' ', '-')}`

function navigationList(
  groups: readonly { name: string; operations: readonly Described[] }[],
  { components }: OpenApiDocument,
): Html {
  return html`<ul>
<li><a class="nav-group" href="#basics">Basics</a></li>
${groups.map(
  ({ name, operations }) =>
    html`<li><a class="nav-group" href="#${anchorOf(name)}">${name}</a><ul>${operations.map(
      ({ operation, method }) =>
        html`<li><a href="#${operation.operationId}"><span class="method ${method}">${method}</span>${operation.summary}</a></li>`,
    )}</ul></li>`,
)}
<li><a class="nav-group" href="#schemas">Schemas</a><ul>${Object.keys(components.schemas).map(
    (name) => html`<li><a href="#${schemaAnchor(name)}">${name}</a></li>`,
  )}</ul></li>
</ul>`
}

const placeOf = ({ type, in: place, name }: SecurityScheme): Html =>
  type === 'http' ? html`<code>Authorization: Bearer …</code>` : html`${place} <code>${name}</code>`

const basics = ({ servers, components }: OpenApiDocument): Html => html`<section class="group" id="basics">
<header><h2>Basics</h2><p>Where the service is, and how it knows you.</p></header>
<div class="columns">
<div><h3>Base URLs</h3><dl>${servers.map(({ url, description }) => html`<dt><code>${url}</code></dt><dd>${description}</dd>`)}</dl></div>
<div><h3>Credentials</h3><dl>${Object.entries(components.securitySchemes).map(
  ([name, scheme]) =>
    html`<dt id="credential-${name}"><code>${name}</code><span class="note">${placeOf(scheme)}</span></dt><dd>${inlineProse(scheme.description)}</dd>`,
)}</dl></div>
</div>
</section>`

const schemas = (
  { components }: OpenApiDocument,
  published: readonly string[],
): Html => html`<section class="group" id="schemas">
<header><h2>Schemas</h2><p>Fields may be added in a later release; ignore those you do not know. As JSON Schema (draft 2020-12): ${published.map(
  (name, index) => html`${index > 0 && ', '}<a href="schemas/${name}.json">${name}</a>`,
)}.</p></header>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<article class="schema" id="${schemaAnchor(name)}">
<h3><a href="#${schemaAnchor(name)}">${name}</a></h3>
${schema.description !== undefined && html`<p class="schema-note">${inlineProse(schema.description)}</p>`}
${schemaTable(schema)}
</article>`,
)}
</section>`
