import { rolesWith } from '../domain/tenants/role.ts';
import type { EndpointAuth } from './caller.ts';
import type { Endpoint } from './endpoint.ts';
import { bodyOf } from './openapi/bodies.ts';
import { describeTags, HEADERS, PARAMETERS, SECURITY_SCHEMES } from './openapi/components.ts';
import { PAGE_PARAMETERS, parametersOf } from './openapi/parameters.ts';
import { responsesOf } from './openapi/responses.ts';
import { finishSchemas, toJsonSchema, type SchemaTable } from './openapi/schema-table.ts';
import { webhookSection } from './openapi-webhooks.ts';
import type { DocumentedWebhook } from './webhooks/documented-webhooks.ts';

type JsonObject = Record<string, unknown>;

export interface ApiInfo {
  title: string;
  version: string;
  description: string;
  license?: { name: string; identifier: string };
}

/** Builds the OpenAPI 3.1 document of a list of endpoints, and of webhooks, from the schemas that parse their requests. */
export function writeOpenApi(
  endpoints: readonly Endpoint[],
  info: ApiInfo,
  webhooks: Readonly<Record<string, DocumentedWebhook>>,
): JsonObject {
  const schemas: SchemaTable = {};
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(endpoint, schemas) };
  }
  const webhookOperations = webhookSection(webhooks, (schema) => toJsonSchema(schema, schemas));
  finishSchemas(schemas);
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: describeTags(new Set([...endpoints.map(({ tag }) => tag), 'Webhooks'])),
    paths,
    webhooks: webhookOperations,
    components: {
      schemas,
      headers: HEADERS,
      parameters: { ...PARAMETERS, ...PAGE_PARAMETERS },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const SECURITY: Record<EndpointAuth, JsonObject[]> = {
  TENANT: [{ ApiKey: [] }, { AccessToken: [] }],
  PARTNER: [{ PartnerKey: [] }],
  OPERATOR: [{ OperatorKey: [] }],
  NONE: [],
};

const PAGE_TOKEN: JsonObject[] = [{ PageToken: [] }];

const PORTAL: Record<NonNullable<Endpoint['portal']>, JsonObject[]> = {
  LINK: [{ PortalToken: [] }],
  SESSION: [{ PortalToken: [], PortalSession: [] }],
};

function securityOf({ auth, takesPageToken, portal }: Endpoint): JsonObject[] {
  if (portal) return PORTAL[portal];
  return takesPageToken ? PAGE_TOKEN : SECURITY[auth];
}

function operation(endpoint: Endpoint, schemas: SchemaTable): JsonObject {
  const { operationId, auth, permission, tag, summary, description } = endpoint;
  const roles = auth === 'TENANT' ? `Roles: ${rolesWith(permission).join(', ')}.` : undefined;
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, roles].filter(Boolean).join('\n\n'),
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint, schemas),
    ...bodyOf(endpoint, schemas),
    responses: responsesOf(endpoint, schemas),
  };
}
