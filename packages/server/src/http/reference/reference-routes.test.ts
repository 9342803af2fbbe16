import { TEST_SAMPLE } from '@inkling/contract'
import {
  type Deployment,
  jsonSchemas,
  METHODS,
  type OpenApiDocument,
  openApi,
} from '@inkling/contract/openapi'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { referencePage } from './page.ts'
import { referenceRoutes } from './reference-routes.ts'

const DEPLOYMENT: Deployment = {
  serviceName: 'Acme',
  urls: {
    history: 'https://history.example.net',
    management: 'https://management.example.net',
    ingest: 'https://ingest.example.net',
    agent: 'https://agent.example.net',
  },
}
const DOCUMENT = openApi(DEPLOYMENT)
const page = (document: OpenApiDocument): string => referencePage(document, Object.keys(jsonSchemas()))
const PAGE = page(DOCUMENT)

const app = Fastify()
beforeAll(async () => {
  await app.register(referenceRoutes(DEPLOYMENT))
})
afterAll(() => app.close())

const all = (pattern: RegExp, text = PAGE): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '')

describe('routes', () => {
  test('/openapi.json is the document of this deployment, readable from any page', async () => {
    const { statusCode, headers, body } = await app.inject('/openapi.json')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(DOCUMENT)))
    expect(body).not.toContain('X-Svc')
  })

  test.each(Object.entries(jsonSchemas()))('/schemas/%s.json', async (name, schema) => {
    const { statusCode, headers, body } = await app.inject(`/schemas/${name}.json`)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/schema+json; charset=utf-8')
    expect(JSON.parse(body)).toEqual(schema)
  })

  test('no other schema, and no file beside the code', async () => {
    for (const path of ['/schemas/none.json', '/docs/page.ts', '/docs/..%2fpage.ts'])
      expect((await app.inject(path)).statusCode).toBe(404)
  })

  test('/docs runs no script and loads nothing from elsewhere', async () => {
    const { statusCode, headers, body } = await app.inject('/docs')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain(`default-src 'none'`)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(body).toBe(PAGE)
    expect(body).not.toMatch(/<script|<style|<iframe|\son\w+="|\sstyle="|javascript:/i)
    for (const url of all(/(?:src|href)="([^"#][^"]*)"/g)) expect(url).toMatch(/^[\w/.-]+$/)
  })

  test('everything the page links to is served', async () => {
    const links = new Set(all(/(?:src|href)="([^"#][^"]*)"/g))
    expect(links.size).toBeGreaterThan(9)
    for (const link of links) expect((await app.inject(`/${link}`)).statusCode, link).toBe(200)
  })

  test('the stylesheet loads nothing', async () => {
    const { headers, body } = await app.inject('/docs/reference.css')
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
    expect(body).not.toMatch(/url\(|@import/)
  })
})

describe('page', () => {
  test('has every operation, event and schema', () => {
    const ids = all(/\sid="([^"]+)"/g)
    expect(new Set(ids).size).toBe(ids.length)
    const items = [...Object.values(DOCUMENT.paths), ...Object.values(DOCUMENT.webhooks)]
    const operations = items.flatMap((item) => METHODS.flatMap((method) => item[method]?.operationId ?? []))
    expect(ids).toEqual(expect.arrayContaining(operations))
    expect(ids).toEqual(
      expect.arrayContaining(Object.keys(DOCUMENT.components.schemas).map((name) => `schema-${name}`)),
    )
  })

  test('every link inside it has its target', () => {
    const ids = new Set(all(/\sid="([^"]+)"/g))
    expect(all(/href="#([^"]+)"/g).filter((target) => !ids.has(target))).toEqual([])
  })

  test('opens and closes the same elements', () => {
    for (const element of ['details', 'table', 'tr', 'article', 'section', 'ul', 'li', 'code', 'span', 'div'])
      expect(all(new RegExp(`<(${element})[ >]`, 'g')).length, element).toBe(
        all(new RegExp(`</(${element})>`, 'g')).length,
      )
  })

  test('names the headers and hosts of this deployment', () => {
    for (const text of ['X-Acme-Domain', 'X-Acme-Signature', 'X-Acme-Event-Id', 'https://ingest.example.net'])
      expect(PAGE).toContain(text)
    expect(PAGE).not.toContain('X-Svc')
    expect(PAGE).not.toContain('localhost')
  })

  test('nothing of a description, an example or a name becomes markup', () => {
    const evil = `"'><script>alert(1)</script>`
    const text = JSON.stringify({ ...DOCUMENT, jsonSchemaDialect: '' })
    const quoted = JSON.stringify(evil).slice(1, -1)
    const document = JSON.parse(
      text
        .replaceAll('Search identifications', quoted)
        .replaceAll('/api/v1/history/', `/${quoted}/`)
        .replaceAll('Germany', quoted)
        .replaceAll('Private API Key', quoted)
        .replaceAll('https://history.example.net', quoted)
        .replaceAll('X-Acme-Domain', quoted)
        .replaceAll('"browser":', `"${quoted}":`),
    ) as OpenApiDocument
    const rendered = page(document)
    expect(rendered).not.toContain('<script')
    expect(all(/(&lt;script&gt;)/g, rendered).length).toBeGreaterThan(20)
  })
})

test('the documented Test delivery is the one that is sent', () => {
  const body = DOCUMENT.webhooks['identification.scored']?.post?.requestBody?.content['application/json']
  expect(JSON.stringify(body?.examples?.testDelivery?.value)).toBe(JSON.stringify(TEST_SAMPLE))
})
