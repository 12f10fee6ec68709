import tseslint from 'typescript-eslint';

/** What each layer of `src` may import, besides itself. DESIGN.md, "Layers": imports point down only. */
const MAY_IMPORT = {
	protocol: [],
	engine: ['protocol'],
	models: ['protocol', 'engine'],
	files: ['protocol', 'engine'],
	processes: ['protocol', 'engine'],
	egress: ['protocol', 'engine'],
	storage: ['protocol', 'engine'],
	sandbox: ['protocol', 'engine', 'processes'],
	mcp: ['protocol', 'engine', 'processes'],
	context: ['protocol', 'engine', 'files'],
	tools: ['protocol', 'engine', 'files', 'processes', 'egress', 'sandbox', 'context'],
};
const LAYERS = [...Object.keys(MAY_IMPORT), 'host'];

/** @param {string} layer @param {string[]} allowed */
function layerRule(layer, allowed) {
	const forbidden = LAYERS.filter((other) => other !== layer && !allowed.includes(other));
	return {
		files: [`src/${layer}/**/*.ts`],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					paths: [{ name: 'vscode', message: 'Only src/host and src/extension.ts may import vscode.' }],
					patterns: [
						{
							regex: `^(\\.\\./)+(${forbidden.join('|')})/`,
							message: `The ${layer} layer may import only: ${['itself', ...allowed].join(', ')}.`,
						},
						{ regex: '^(\\.\\./)+webview/', message: 'Nothing in src imports the webview.' },
					],
				},
			],
		},
	};
}

export default tseslint.config(
	{ ignores: ['dist', 'node_modules', '.vscode-test', 'test-results', 'test/fixtures'] },
	...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
	{
		files: ['**/*.ts', '**/*.tsx'],
		languageOptions: { parserOptions: { project: ['./tsconfig.json', './webview/tsconfig.json'] } },
		rules: {
			'@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			'@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
			'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
			'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
			eqeqeq: 'error',
			'no-console': 'error',
			curly: 'error',
		},
	},
	...Object.entries(MAY_IMPORT).map(([layer, allowed]) => layerRule(layer, allowed)),
	{
		files: ['webview/**/*.ts', 'webview/**/*.tsx'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							regex: '^(\\.\\./)+src/(?!protocol/)',
							message: 'The webview imports src/protocol and nothing else of src.',
						},
						{ regex: '^vscode$', message: 'The webview has no vscode module.' },
					],
				},
			],
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			'@typescript-eslint/no-non-null-assertion': 'off',
			'@typescript-eslint/no-unused-expressions': 'off',
			'max-lines-per-function': 'off',
			'no-console': 'off',
		},
	},
	{
		files: ['**/*.mjs'],
		languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
		rules: { curly: 'error', eqeqeq: 'error', 'max-lines': ['error', { max: 400 }] },
	},
);
