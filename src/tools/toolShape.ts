import { z } from 'zod';
import type { InvalidCall, ToolDefinition } from '../engine/ports/index.ts';

type JsonSchema = Readonly<Record<string, unknown>>;
export type ParsedArguments<T> =
	{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly call: InvalidCall };

/** A tool's name, description and parameters, in the form for the model and in the form that checks what it sends. */
export class ToolShape<Shape extends z.ZodRawShape> {
	readonly definition: ToolDefinition;
	readonly #schema: z.ZodObject<Shape>;
	readonly #aliases: Readonly<Record<string, string>>;

	/** @param aliases other names that models give parameters, in snake case, also those within lists. */
	constructor(name: string, description: string, parameters: Shape, aliases: Readonly<Record<string, string>> = {}) {
		this.#schema = z.object(parameters);
		this.#aliases = aliases;
		this.definition = { name, description, parameters: jsonSchemaOf(this.#schema) };
	}

	/**
	 * Checks a call's arguments. What is meant beyond doubt is taken: other names for a parameter, numbers and truth
	 * values as text, lists as JSON text, null for what is left out.
	 * @param args parsed JSON of any shape.
	 */
	parse(args: unknown): ParsedArguments<z.infer<z.ZodObject<Shape>>> {
		const given = objectOf(args);
		if (given === undefined) {
			return this.#invalid('The arguments are not a JSON object.');
		}
		const parsed = this.#schema.safeParse(fitted(given, this.definition.parameters, this.#aliases));
		if (parsed.success) {
			return { ok: true, value: parsed.data };
		}
		return this.#invalid(parsed.error.issues.map(inWords).join(' '));
	}

	#invalid(problem: string): ParsedArguments<never> {
		const { name, parameters } = this.definition;
		const required = new Set(parameters['required'] as readonly string[] | undefined);
		const names = Object.keys(propertiesOf(parameters)).map((key) => (required.has(key) ? key : `${key}?`));
		const invalid = `${name} was not run: ${problem} Its parameters are: ${names.join(', ')}.`;
		return { ok: false, call: { invalid, title: name } };
	}
}

/** The schema as short as it can be: every byte of it is sent with every request. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
	const full = z.toJSONSchema(schema, {
		io: 'input',
		override: ({ jsonSchema }) => {
			delete jsonSchema.minimum;
			delete jsonSchema.maximum;
			delete jsonSchema.minItems;
			delete jsonSchema.minLength;
			delete jsonSchema.additionalProperties;
		},
	});
	delete full.$schema;
	return full;
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
	return (schema['properties'] ?? {}) as Record<string, JsonSchema>;
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
	if (value === undefined || value === null || value === '') {
		return {};
	}
	return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

/** Turns what was given into what the schema has, where that is beyond doubt; the rest is left for the schema to refuse. */
function fitted(value: unknown, schema: JsonSchema, aliases: Readonly<Record<string, string>>): unknown {
	switch (schema['type']) {
		case 'object':
			return fittedObject(value, schema, aliases);
		case 'array': {
			const items = (schema['items'] ?? {}) as JsonSchema;
			const list = typeof value === 'string' ? (jsonOf(value) ?? value) : value;
			return Array.isArray(list) ? list.map((item) => fitted(item, items, aliases)) : list;
		}
		case 'integer':
		case 'number':
			return typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
		case 'boolean':
			return value === 'true' || value === 'True' ? true : value === 'false' || value === 'False' ? false : value;
		default:
			return value;
	}
}

function fittedObject(value: unknown, schema: JsonSchema, aliases: Readonly<Record<string, string>>): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return value;
	}
	const properties = propertiesOf(schema);
	const result: Record<string, unknown> = {};
	for (const [given, content] of Object.entries(value)) {
		const snake = given.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();
		const key = Object.hasOwn(properties, snake) ? snake : (aliases[snake] ?? snake);
		const property = properties[key];
		if (property !== undefined && content !== null && (key === given || !Object.hasOwn(result, key))) {
			result[key] = fitted(content, property, aliases);
		}
	}
	return result;
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

function inWords(issue: z.core.$ZodIssue): string {
	const path = issue.path
		.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
		.join('')
		.replace(/^\./, '');
	const isMissing = issue.code === 'invalid_type' && /received undefined$/.test(issue.message);
	return `${path || 'The call'}: ${isMissing ? 'is missing' : issue.message.replace(/\.$/, '')}.`;
}
