/** One edit of one file. `encoding`: as iconv-lite names it, with `+bom` where the file begins with a byte order mark. */
export interface EditCase {
	readonly name: string;
	readonly file: string;
	readonly encoding?: string;
	readonly edits: readonly (readonly [oldText: string, newText: string, all?: 'all'])[];
	/** The file after; where it fails, what the error says. */
	readonly after: string | RegExp;
	/** What the model is told of how it matched. */
	readonly note?: RegExp;
}

const LONG = 'x'.repeat(1_000_000);
const ITA = 'if (a) {\n\tif (b) {\n\t\tcall();\n\t}\n}\n';
const PY = 'class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n';

export const EDIT_CASES: readonly EditCase[] = [
	// Exact text
	{ name: 'a word', file: 'a b c\n', edits: [['b', 'B']], after: 'a B c\n' },
	{ name: 'a line', file: 'a\nb\nc\n', edits: [['b\n', 'B\n']], after: 'a\nB\nc\n' },
	{ name: 'a line out', file: 'a\nb\nc\n', edits: [['b\n', '']], after: 'a\nc\n' },
	{ name: 'lines in', file: 'a\nc\n', edits: [['a\n', 'a\nb\nb2\n']], after: 'a\nb\nb2\nc\n' },
	{ name: 'the first character', file: 'abc', edits: [['a', 'A']], after: 'Abc' },
	{ name: 'the last character', file: 'abc', edits: [['c', 'C']], after: 'abC' },
	{ name: 'the whole file', file: 'a\nb\n', edits: [['a\nb\n', 'z']], after: 'z' },
	{ name: 'no line end at the end stays so', file: 'a\nb', edits: [['b', 'B']], after: 'a\nB' },
	{ name: 'a line end added at the end', file: 'a\nb', edits: [['b', 'b\n']], after: 'a\nb\n' },
	{ name: 'dollar signs in the replacement', file: 'x = y', edits: [['y', "$& $1 $$ $` $'"]], after: "x = $& $1 $$ $` $'" },
	{ name: 'characters of regular expressions', file: 'a.*(b)[c]+?^$|\\d\n', edits: [['.*(b)[c]+?^$|\\d', '!']], after: 'a!\n' },
	{ name: 'a pattern is no pattern', file: 'abc\n', edits: [['a.c', 'x']], after: /not found/ },
	{ name: 'entities are left alone', file: 'a &amp; b &lt;\n', edits: [['&amp;', '&apos;']], after: 'a &apos; b &lt;\n' },
	{ name: 'an entity does not match its character', file: 'x & y\n', edits: [['&amp;', 'and']], after: /not found/ },
	{ name: 'backslash sequences are left alone', file: 'p("a\\n")\n', edits: [['"a\\n"', '"b\\t"']], after: 'p("b\\t")\n' },
	{ name: 'merge markers are text', file: '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n', edits: [['<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n', 'b\n']], after: 'b\n' },
	{ name: 'an empty file is filled', file: '', edits: [['', 'hello\n']], after: 'hello\n' },
	{ name: 'an empty text in a file that has some', file: 'a', edits: [['', 'b']], after: /old_str is empty/ },
	{ name: 'any text in an empty file', file: '', edits: [['a', 'b']], after: /file is empty/ },
	{ name: 'a huge line', file: `${LONG} needle ${LONG}\n`, edits: [['needle', 'pin']], after: `${LONG} pin ${LONG}\n` },
	{ name: 'overlapping texts are taken once', file: 'aaaa', edits: [['aa', 'b', 'all']], after: 'bb' },
	{ name: 'a no-op', file: 'a\r\nb\r\n', edits: [['a\nb', 'a\nb']], after: 'a\r\nb\r\n' },
	// How many
	{ name: 'several', file: 'x\ny\nx\n', edits: [['x', 'z']], after: /lines 1, 3/ },
	{ name: 'several on one line', file: 'x x\n', edits: [['x', 'z']], after: /lines 1, 1/ },
	{ name: 'very many', file: 'x\n'.repeat(30), edits: [['x', 'z']], after: /9, 10 and more/ },
	{ name: 'all of several', file: 'x\ny\nx\n', edits: [['x', 'z', 'all']], after: 'z\ny\nz\n' },
	{ name: 'all of one', file: 'x\ny\n', edits: [['x', 'z', 'all']], after: 'z\ny\n' },
	{ name: 'all of none', file: 'x\n', edits: [['q', 'z', 'all']], after: /not found/ },
	{ name: 'all, the new text holding the old', file: 'a a', edits: [['a', 'aa', 'all']], after: 'aa aa' },
	{ name: 'none, but something like it', file: 'const total = sum(a, b);\nfoo\n', edits: [['const totals = sum(a, c);', 'x']], after: /\n1\tconst total = sum\(a, b\);/ },
	{ name: 'none, with a line number pasted', file: 'const total = 1;\n', edits: [['1\tconst total = 1;', 'x']], after: /line number/ },
	{ name: 'none, and nothing like it', file: 'abc\n', edits: [['zzzzzzzzzzzz', 'x']], after: /nothing is like it/ },
	// Several edits
	{ name: 'one after the other', file: 'a\nb\n', edits: [['a', 'b2'], ['b\n', 'c\n']], after: 'b2\nc\n' },
	{ name: 'the second sees the first', file: 'a\n', edits: [['a', 'b'], ['b', 'c']], after: 'c\n' },
	{ name: 'all or none', file: 'a\nb\n', edits: [['a', 'x'], ['q', 'y']], after: /Replacement 2 of 2.*None of the replacements was made/s },
	// Line ends
	{ name: 'CRLF: a word', file: 'a\r\nb\r\n', edits: [['b', 'B']], after: 'a\r\nB\r\n' },
	{ name: 'CRLF: lines given with LF', file: 'a\r\nb\r\nc\r\n', edits: [['a\nb', 'a\nx\ny']], after: 'a\r\nx\r\ny\r\nc\r\n' },
	{ name: 'CRLF: one line becomes two', file: 'a\r\nb\r\n', edits: [['b', 'b\nc']], after: 'a\r\nb\r\nc\r\n' },
	{ name: 'CRLF: a text that begins with LF', file: 'a\r\nb\r\n', edits: [['\nb', '']], after: 'a\r\n' },
	{ name: 'CRLF: a text that ends with LF', file: 'a\r\nb\r\n', edits: [['a\n', '']], after: 'b\r\n' },
	{ name: 'CRLF: lines given with CRLF', file: 'a\r\nb\r\n', edits: [['a\r\nb', 'a\r\nB']], after: 'a\r\nB\r\n' },
	{ name: 'CRLF: all of several lines', file: 'a\r\nb\r\na\r\nb\r\n', edits: [['a\nb', 'c', 'all']], after: 'c\r\nc\r\n' },
	{ name: 'LF: lines given with CRLF', file: 'a\nb\n', edits: [['a\r\nb', 'x\r\ny']], after: 'x\ny\n' },
	{ name: 'LF: new text with CRLF', file: 'a\nb\n', edits: [['a', 'x\r\ny']], after: 'x\ny\nb\n' },
	{ name: 'mixed: lines that stay keep theirs', file: 'a\r\nb\nc\r\nd\n', edits: [['a\nb\nc\nd', 'a\nb\nX\nd']], after: 'a\r\nb\nX\r\nd\n' },
	{ name: 'mixed: a new line takes its neighbour\u2019s', file: 'a\r\nb\nc\n', edits: [['b\nc', 'b\nnew\nc']], after: 'a\r\nb\nnew\nc\n' },
	{ name: 'mixed: in the CRLF part', file: 'a\r\nb\r\nc\nd\n', edits: [['a', 'a\na2']], after: 'a\r\na2\r\nb\r\nc\nd\n' },
	{ name: 'mixed: exact before the others', file: 'a\r\nb\r\na\nb\n', edits: [['a\nb', 'X']], after: 'a\r\nb\r\nX\n' },
	{ name: 'mixed: all, whatever their line ends', file: 'a\r\nb\r\na\nb\n', edits: [['a\nb', 'X', 'all']], after: 'X\r\nX\n' },
	{ name: 'lone CR is data', file: 'a\rb\nc\n', edits: [['c', 'C']], after: 'a\rb\nC\n' },
	{ name: 'lone CR is no line end', file: 'a\rb\nc\n', edits: [['a\nb', 'x']], after: /not found/ },
	{ name: 'lone CR given as it is', file: 'a\rb\nc\n', edits: [['a\rb', 'a\rB']], after: 'a\rB\nc\n' },
	{ name: 'CR before CRLF', file: 'a\r\r\nb\r\n', edits: [['b', 'c']], after: 'a\r\r\nc\r\n' },
	{ name: 'classic Mac: lines given with LF', file: 'a\rb\rc\r', edits: [['a\nb', 'a\nx\ny']], after: 'a\rx\ry\rc\r' },
	{ name: 'line ends are what is changed: CRLF to LF', file: 'a\r\nb\r\n', edits: [['a\r\nb', 'a\nb']], after: 'a\nb\r\n' },
	{ name: 'line ends are what is changed: LF to CRLF', file: 'a\nb\n', edits: [['a\n', 'a\r\n']], after: 'a\r\nb\n' },
	{ name: 'one line without line end', file: 'abc', edits: [['b', 'x\ny']], after: 'ax\nyc' },
	{ name: 'the last line without line end grows', file: 'a\r\nb', edits: [['b', 'b\nc']], after: 'a\r\nb\r\nc' },
	// Indentation
	{ name: 'blanks for tabs', file: ITA, edits: [['    if (b) {\n        call();\n    }', '    if (b) {\n        call();\n        more();\n    }']], after: ITA.replace('call();\n', 'call();\n\t\tmore();\n'), note: /line 2 only with its indentation disregarded/ },
	{ name: 'two blanks for tabs', file: ITA, edits: [['  if (b) {\n    call();\n  }', '  if (b) {\n    if (c) {\n      call();\n    }\n  }']], after: ITA.replace('\t\tcall();\n', '\t\tif (c) {\n\t\t\tcall();\n\t\t}\n') },
	{ name: 'tabs for blanks', file: PY, edits: [['\tdef g(self):\n\t\treturn 2\n', '\tdef g(self):\n\t\tif x:\n\t\t\treturn 3\n\t\treturn 2\n']], after: PY.replace('        return 2\n', '        if x:\n            return 3\n        return 2\n') },
	{ name: 'no indentation given', file: PY, edits: [['def g(self):\n    return 2', 'def g(self, x):\n    return x']], after: PY.replace('g(self):\n        return 2', 'g(self, x):\n        return x') },
	{ name: 'first line without its indentation', file: ITA, edits: [['if (b) {\n\t\tcall();\n\t}', 'if (c) {\n\t\tcall();\n\t}']], after: ITA.replace('(b)', '(c)') },
	{ name: 'indentation of the model one level off', file: PY, edits: [['def f(self):\n    return 1\n\ndef g(self):\n    return 2\n', 'def f(self):\n    return 1\n\ndef h(self):\n    return 3\n\ndef g(self):\n    return 2\n']], after: PY.replace('\n    def g', '\n    def h(self):\n        return 3\n\n    def g') },
	{ name: 'trailing blanks in the file', file: 'a();  \n  b();\t\n', edits: [['a();\n  b();', 'a();\n  c();']], after: 'a();  \n  c();\n', note: /indentation/ },
	{ name: 'indentation, CRLF', file: 'x {\r\n\ty;\r\n}\r\n', edits: [['  y;\n}', '  y;\n  z;\n}']], after: 'x {\r\n\ty;\r\n\tz;\r\n}\r\n' },
	{ name: 'indentation: lines out', file: PY, edits: [['def f(self):\n    return 1\n', '']], after: PY.replace('    def f(self):\n        return 1\n', '') },
	{ name: 'indentation: several are no match', file: '\ta;\n\t\tb;\n\n\ta;\n\t\tb;\n', edits: [['  a;\n    b;', 'c;']], after: /lines 1, 4.*indentation/s },
	{ name: 'indentation: several are no match with all', file: '\ta;\n\t\tb;\n\n\ta;\n\t\tb;\n', edits: [['  a;\n    b;', 'c;', 'all']], after: /not unique/ },
	{ name: 'indentation: blank lines alone never match', file: 'a\n\n\nb\n', edits: [[' \n  \n', '']], after: /not found/ },
	{ name: 'indentation: a dedent below the first line', file: '\t\ta {\n\t\t\tb\n\t\t}\n', edits: [['  a {\n    b\n  }', 'a {\n  b\n}']], after: '\ta {\n\t\tb\n\t}\n' },
	{ name: 'exact wins over indentation', file: '\ta;\n  a;\n', edits: [['  a;', '  b;']], after: '\ta;\n  b;\n' },
	// Encodings
	{ name: 'UTF-8 with a mark', file: 'é\na\n', encoding: 'utf-8+bom', edits: [['a', 'b']], after: 'é\nb\n' },
	{ name: 'UTF-8 with a mark, given by the model', file: 'a\n', encoding: 'utf-8+bom', edits: [['\ufeffa', '\ufeffb']], after: 'b\n' },
	{ name: 'emoji', file: 'a 👩‍👩‍👧 b\n', edits: [['👩‍👩‍👧', '🎉']], after: 'a 🎉 b\n' },
	{ name: 'combining marks are not composed', file: 'cafe\u0301 x\n', edits: [['x', 'y']], after: 'cafe\u0301 y\n' },
	{ name: 'other blanks and separators', file: 'a\u00a0b\u2028c\n', edits: [['b', 'B']], after: 'a\u00a0B\u2028c\n' },
	{ name: 'latin-1', file: 'Le café est fermé, déjà vu à la plage où il était né.\nx = 1\n', encoding: 'latin1', edits: [['x = 1', 'x = "é"']], after: 'Le café est fermé, déjà vu à la plage où il était né.\nx = "é"\n' },
	{ name: 'latin-1, one accent', file: '// café\nint x = 1;\n', encoding: 'latin1', edits: [['x = 1', 'x = 2']], after: '// café\nint x = 2;\n' },
	{ name: 'latin-1 can’t express it', file: 'Le café est fermé, déjà vu à la plage où il était né.\nx\n', encoding: 'latin1', edits: [['x', '→']], after: /U\+2192/ },
	{ name: 'windows-1252', file: 'He said “hello” – it’s a café, déjà vu…\nx\n', encoding: 'windows-1252', edits: [['x', '“y”']], after: 'He said “hello” – it’s a café, déjà vu…\n“y”\n' },
	{ name: 'windows-1251', file: 'Привет, мир! Это тестовый файл.\nx\n', encoding: 'windows-1251', edits: [['x', 'да']], after: 'Привет, мир! Это тестовый файл.\nда\n' },
	{ name: 'GBK', file: '你好，世界。这是一个测试文件，用来检查编码。\nx\n', encoding: 'gbk', edits: [['世界', '中国'], ['x', '新']], after: '你好，中国。这是一个测试文件，用来检查编码。\n新\n' },
	{ name: 'GBK, CRLF', file: '你好，世界。这是一个测试文件，用来检查编码。\r\nx\r\n', encoding: 'gbk', edits: [['编码。\nx', '编码。\ny']], after: '你好，世界。这是一个测试文件，用来检查编码。\r\ny\r\n' },
	{ name: 'Shift_JIS', file: 'これは日本語のテストです。文字コードを確認します。表示\nx\n', encoding: 'shift_jis', edits: [['x', 'ソ表']], after: 'これは日本語のテストです。文字コードを確認します。表示\nソ表\n' },
	{ name: 'Big5', file: '這是一個測試檔案，用來檢查編碼。許功蓋\nx\n', encoding: 'big5', edits: [['x', '好']], after: '這是一個測試檔案，用來檢查編碼。許功蓋\n好\n' },
	{ name: 'EUC-KR', file: '안녕하세요 세계 이것은 시험입니다\nx\n', encoding: 'euc-kr', edits: [['x', '예']], after: '안녕하세요 세계 이것은 시험입니다\n예\n' },
	{ name: 'UTF-16 LE with a mark', file: 'aé漢\r\nb\r\n', encoding: 'utf-16le+bom', edits: [['b', '→']], after: 'aé漢\r\n→\r\n' },
	{ name: 'UTF-16 BE with a mark', file: 'aé漢\nb\n', encoding: 'utf-16be+bom', edits: [['b', '→']], after: 'aé漢\n→\n' },
	{ name: 'UTF-16 LE without a mark', file: 'plain text\nb\n', encoding: 'utf-16le', edits: [['b\n', 'é\n']], after: 'plain text\né\n' },
	{ name: 'UTF-16 BE without a mark', file: 'plain text\nb\n', encoding: 'utf-16be', edits: [['b\n', 'é\n']], after: 'plain text\né\n' },
	{ name: 'half a surrogate pair into UTF-8', file: 'a\n', edits: [['a', '\ud83d']], after: /U\+D83D/ },
]; // prettier-ignore
