import type { z } from 'zod'

/** The part of OpenAPI 3.1 that this description uses. */

export type JsonSchema = z.core.JSONSchema.BaseSchema

export interface Reference {
  $ref: string
}

export interface Example {
  summary: string
  value: unknown
}

export interface MediaType {
  schema: JsonSchema
  examples?: Record<string, Example>
}
export type Content = Record<string, MediaType>

export interface Header {
  description: string
  schema: JsonSchema
  example?: unknown
}

export interface Response {
  description: string
  headers?: Record<string, Header | Reference>
  content?: Content
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  required?: boolean
  schema: JsonSchema
  example?: unknown
}

export interface Server {
  url: string
  description: string
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  deprecated?: boolean
  servers?: Server[]
  /** Empty: none is needed. */
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { description?: string; required: boolean; content: Content }
  responses: Record<string, Response | Reference>
}

export const METHODS = ['get', 'post', 'patch', 'delete'] as const
export type Method = (typeof METHODS)[number]
export type PathItem = { [method in Method]?: Operation }

export interface SecurityScheme {
  type: 'http' | 'apiKey'
  description: string
  scheme?: 'bearer'
  in?: 'header' | 'query' | 'cookie'
  name?: string
}

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; summary: string; description: string; license: object }
  jsonSchemaDialect: string
  servers: Server[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks: Record<string, PathItem>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    headers: Record<string, Header>
    securitySchemes: Record<string, SecurityScheme>
  }
}
