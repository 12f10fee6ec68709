import type { Effect } from '../../../protocol/index.ts';
import type { OptionRule, ProgramRule, RuleRow } from './programRule.ts';
import { table } from './programRule.ts';

/*
 * What programs do: one row for each, read from top to bottom by nobody but the judge in `judge.ts`. A program that is
 * not here may change files. Sources: the programs' manuals; engine-reference.md 3.4 for the first set and its holes.
 */
const R: Effect = 'readOnly';
const N: Effect = 'remoteAction';
const L: Effect = 'localMutation';
const D: Effect = 'destructive';

const read: ProgramRule = { effect: R };
const remote: ProgramRule = { effect: N, does: 'talks to another computer', network: true };
const fetches: ProgramRule = { effect: L, does: 'downloads and changes files', network: true };
const deletes: ProgramRule = { effect: D, does: 'deletes files', deletes: 'all' };
const destroys = (does: string): ProgramRule => ({ effect: D, does });
const changes = (does: string): ProgramRule => ({ effect: L, does });
const publishes: ProgramRule = { effect: D, does: 'publishes or withdraws something for everybody', network: true };
const runsOther: OptionRule = [L, 'runs another program'];
const opensBrowser: OptionRule = [L, 'opens a browser'];
const reads = (options: ProgramRule['options'], more: Partial<ProgramRule> = {}): ProgramRule => ({
	effect: R,
	...more,
	...(options === undefined ? {} : { options }),
});
const wrap = (values: string, wraps: ProgramRule['wraps'] = {}, more: Partial<ProgramRule> = {}): ProgramRule => ({
	effect: R,
	values,
	wraps,
	...more,
});
const subs = (effect: Effect, rows: readonly RuleRow[], more: Partial<ProgramRule> = {}): ProgramRule => ({
	effect,
	subcommands: table(rows),
	...more,
});

// prettier-ignore
const BUILTINS: readonly RuleRow[] = [
	[': true false pwd cd pushd popd dirs echo jobs wait times caller shift return exit break continue umask ulimit shopt set getopts suspend fg bg disown logout help', read],
	['printf test [ read let declare typeset local export readonly unset', { effect: R, evaluates: true }],
	['mapfile readarray', { effect: R, evaluates: true, options: { '-C': 'code' } }],
	['hash', reads({ '-p': [L, 'gives commands other names'] })],
	['type which whereis', read],
	['command', wrap('', { alone: R }, { options: {} })],
	['builtin', wrap('', { alone: R })],
	['exec', wrap('-a', { alone: R })],
	['eval', wrap('', { as: 'code', alone: R })],
	['trap', { effect: R, wraps: { as: 'code', alone: R }, does: 'runs code at the end' }],
	['alias', { effect: L, does: 'gives commands other names' }],
	['enable bind complete compopt compgen', changes('changes the shell')],
	['source .', { effect: L, does: 'runs a file of commands', check: 'source' }],
];

// prettier-ignore
const WRAPPERS: readonly RuleRow[] = [
	['env', wrap('-u --unset -C --chdir', { assignments: true, alone: R }, { options: { '-S --split-string': 'code' }, folder: '-C --chdir' })],
	['cross-env', wrap('', { assignments: true })],
	['nohup setsid unbuffer chronic catchsegv eatmydata gtime proxychains4 proxychains torsocks', wrap('')],
	['time', wrap('-f --format', {}, { options: { '-o --output': 'writes' } })],
	['timeout gtimeout', wrap('-s --signal -k --kill-after', { skip: 1 })],
	['nice ionice chrt taskset caffeinate', wrap('-n --adjustment -c --class -p -t -w')],
	['stdbuf', wrap('-i -o -e --input --output --error')],
	['strace ltrace', wrap('-e -p -s', {}, { options: { '-o --output': 'writes' } })],
	['xargs gxargs', wrap('-I -n -P -L -d -a -E -s --max-args --max-procs --max-lines --delimiter --arg-file --replace', { as: 'more', alone: R })],
	['parallel', wrap('-j --jobs -n -N --delay', { as: 'code', alone: L }, { effect: L })],
	['watch', wrap('-n --interval', { as: 'code' })],
	['flock', wrap('-w --timeout -E', { skip: 1 }, { effect: L, options: { '-c --command': 'code' } })],
	['script', wrap('-c --command', { skip: 1, alone: L }, { effect: L, does: 'records to a file', options: { '-c --command': 'code' } })],
	['busybox toybox', wrap('', { alone: R })],
	['sudo doas pkexec', wrap('-u --user -g --group -C -D -h -p -r -t -T -U', { assignments: true, alone: R }, { effect: D, does: 'runs with the rights of another user' })],
	['su runuser', { effect: D, does: 'runs with the rights of another user', options: { '-c --command': 'code' } }],
	['chroot unshare nsenter', wrap('', { skip: 0 }, { effect: D, does: 'leaves its surroundings' })],
	['npx bunx pnpx uvx', wrap('-p --package --from --with', {}, { effect: L, does: 'may download a program and run it', network: true, options: { '-c --call': 'code' } })],
	['corepack dotenv direnv mise', wrap('', {}, { effect: L })],
	['ssh', { effect: N, does: 'runs something on another computer', network: true, check: 'ssh', values: '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w', options: { '-o -F': [L, 'sets options of ssh, which may run programs'], '-E': 'writes' } }],
];

// prettier-ignore
const READERS: readonly RuleRow[] = [
	['cat head tail more wc stat ls dir vdir du df grep egrep fgrep zgrep zcat bzcat xzcat zstdcat whoami groups id users who w last uptime uname arch nproc free printenv locale getconf basename dirname realpath readlink cut tr nl tac rev fold fmt column comm join paste expand unexpand od hexdump strings nm size objdump readelf cmp seq sleep factor numfmt tsort md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum ps pgrep pidof lsof vmstat iostat lscpu lsblk lsusb lspci lsmod findmnt tty tput jq gron tokei ncal cal zipinfo exa eza lsd pstree sw_vers look apropos whatis expr yes getent logname', read],
	['base32 base64', reads({ '-o --output': 'writes' })],
	['file', reads({ '-C --compile': [L, 'writes a magic file'] })],
	['less', reads({ '-o -O --log-file --LOG-FILE': 'writes' }, { operand: [/^\+/, L, 'runs commands of less'] })],
	['bat batcat', reads({ '--pager': runsOther })],
	['man', reads({ '-P --pager -H --html --browser -C --config-file': runsOther })],
	['tree', reads({ '-o --output': 'writes' })],
	['rg', reads({ '--pre --hostname-bin': runsOther, '-z --search-zip': runsOther })],
	['ag', reads({ '--pager': runsOther })],
	['find gfind', reads({ '-delete': [D, 'deletes files'], '-fprint -fprintf -fls -fprint0': 'writes' }, { exact: true, check: 'find' })],
	['fd fdfind', reads({}, { check: 'fd' })],
	['fzf', reads({ '--preview --bind --execute --listen': runsOther })],
	['sort gsort', reads({ '-o --output': 'writes', '--compress-program': runsOther }, { values: '-k -t -S -T --key --field-separator --buffer-size --temporary-directory' })],
	['uniq', { effect: R, writes: 'second', values: '-f -s -w' }],
	['diff colordiff', reads({ '--output': 'writes' })],
	['date gdate', reads({ '-s --set': [D, "sets the computer's clock"] }, { check: 'date', values: '-d --date -r --reference -f -v' })],
	['hostname domainname', reads({ '-F --file -b --boot': [D, "sets the computer's name"] }, { operands: [0, D, "sets the computer's name"] })],
	['sed gsed', reads({ '-i --in-place': [D, 'changes files in place'], '-f --file': [L, 'runs a sed script'] }, { check: 'sed', values: '-e --expression -l --line-length -f --file' })],
	['awk gawk mawk nawk', reads({ '-f --file -i --include -l --load -E --exec': [L, 'runs an awk script'], '-o --pretty-print -p --profile -d --dump-variables': 'writes' }, { check: 'awk', values: '-F -v --field-separator --assign' })],
	['yq', reads({ '-i --inplace --in-place': [L, 'changes files in place'], '-s --split-exp': [L, 'writes files'] })],
	['xxd', { effect: R, writes: 'second', values: '-c -g -l -s -o -n' }],
	['shellcheck', read],
	['ping dig nslookup host whois traceroute tracepath mtr', remote],
	['netstat', read],
	['ss', reads({ '-K --kill': [D, 'closes connections'] })],
	['ifconfig', { effect: R, operands: [1, D, 'changes the network'] }],
	['ip', reads({}, { operand: [/^(?:add|del|delete|set|change|replace|flush|up|down|exec)$/, D, 'changes the network'] })],
	['sysctl', reads({ '-w --write -p --load': [D, 'changes the system'] }, { operand: [/=/, D, 'changes the system'] })],
	['top htop', { effect: R }],
	['iconv', reads({ '-o --output': 'writes' })],
];

// prettier-ignore
const WRITERS: readonly RuleRow[] = [
	['rm rmdir unlink shred srm rimraf del-cli trash grm', deletes],
	['dd', { effect: D, does: 'writes blocks, also to devices' }],
	['mkfs mkfs.ext4 mkfs.ext3 mkfs.ext2 mkfs.xfs mkfs.btrfs mkfs.vfat mkswap fdisk sfdisk cfdisk gdisk parted wipefs mount umount losetup cryptsetup lvremove vgremove diskutil', destroys('changes disks')],
	['chmod chown chgrp chattr setfacl', { effect: D, does: 'changes who may do what with files', writes: 'all' }],
	['kill killall pkill xkill fuser', destroys('ends processes')],
	['reboot shutdown halt poweroff init telinit', destroys('stops the computer')],
	['systemctl', subs(D, [['status show list-units list-unit-files list-timers list-sockets is-active is-enabled is-failed cat help get-default', read]], { does: 'changes services' })],
	['service launchctl rc-service systemd-run at batch', destroys('changes what the system runs')],
	['crontab', { effect: D, does: 'changes what the system runs', milder: ['-l', R], options: { '-r -e': [D, 'changes what the system runs'] } }],
	['journalctl', reads({ '--vacuum-size --vacuum-time --vacuum-files --rotate --flush': [D, 'deletes logs'] })],
	['useradd userdel usermod groupadd groupdel passwd chpasswd visudo chsh', destroys('changes accounts')],
	['iptables ip6tables nft ufw firewall-cmd', destroys('changes the firewall')],
	['truncate', { effect: D, does: 'cuts files', writes: 'all', values: '-s --size -r --reference' }],
	['cp install ln gcp', { effect: L, does: 'writes files', writes: 'last', options: { '-t --target-directory': 'writes' }, values: '-m --mode -o --owner -g --group -S --suffix -t --target-directory' }],
	['mv gmv', { effect: L, does: 'moves files', writes: 'last', deletes: 'allButLast', options: { '-t --target-directory': 'writes' }, values: '-t --target-directory -S --suffix' }],
	['mkdir touch mkfifo mknod tee sponge', { effect: L, does: 'writes files', writes: 'all', values: '-m --mode -d --date -r --reference' }],
	['split csplit', { effect: L, does: 'writes files', values: '-b -l -n -a -C' }],
	['patch', { effect: L, does: 'changes files' }],
	['tar gtar bsdtar', { effect: R, check: 'tar' }],
	['unzip', { effect: L, does: 'unpacks files', milder: ['-l -Z -v -t', R] }],
	['zip gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd 7z 7za', changes('packs or unpacks files')],
	['vi vim nvim nano emacs ed ex code', changes('edits files')],
	['make gmake cmake ninja bazel gradle gradlew mvn just task rake ant meson', { effect: L, does: "runs the project's code", values: '-C --directory -f --file -j', folder: '-C --directory' }],
	['sqlite3 psql mysql mariadb redis-cli mongosh mongo', { effect: L, does: 'works on a database', operand: [/\b(?:drop|delete|truncate|flushall|flushdb|dropDatabase)\b/i, D, 'deletes from a database'], options: { '-c --command -e --execute --eval': [L, 'works on a database'] } }],
	['xdg-open open gio', changes('opens another program')],
];

// prettier-ignore
const CODE: readonly RuleRow[] = [
	['sh bash zsh dash ksh mksh ash fish rbash csh tcsh', { effect: R, does: 'runs a script', check: 'shell', values: '-o +o -O +O --rcfile --init-file', version: '' }],
	['python python2 python3 pypy pypy3 ipython', { effect: L, does: 'runs a script', check: 'interpreter', inline: '-c', values: '-W -X -m', version: '-V -VV' }],
	['node nodejs iojs tsx ts-node', { effect: L, does: 'runs a script', check: 'interpreter', inline: '-e --eval -p --print -pe', values: '-r --require --import --loader -C --conditions', version: '-v' }],
	['perl', { effect: L, does: 'runs a script', check: 'interpreter', inline: '-e -E', version: '-v', values: '-I' }],
	['ruby', { effect: L, does: 'runs a script', check: 'interpreter', inline: '-e', version: '-v', values: '-I -r -C' }],
	['php lua luajit Rscript julia osascript tclsh groovy scala elixir ghci racket guile', { effect: L, does: 'runs a script', check: 'interpreter', inline: '-e -r -E --eval --execute' }],
	['deno', subs(L, [['eval repl', destroys('runs code given inline')], ['info types --version', read]])],
	['bun', subs(L, [['pm', subs(L, [['ls list hash bin', read]])], ['publish', publishes], ['x', wrap('', {}, { effect: L, network: true })]], { check: 'interpreter', inline: '-e --eval -p --print', version: '-v' })],
	['pwsh powershell cmd', destroys('runs commands of another shell')],
	['go', subs(L, [['version doc', read], ['env', reads({ '-w -u': [L, 'changes settings of go'] }, { exact: true })]])],
	['java javac tsc gcc g++ cc clang clang++ ld as rustc swift swiftc kotlinc ghc ocaml dotnet eslint prettier vitest jest mocha pytest ruff mypy black', { effect: L, does: "runs the project's code or writes files", version: '-v -V -version' }],
	['docker podman nerdctl', subs(L, [
		['ps images logs inspect version info top stats port diff history', read],
		['rm rmi kill stop prune', destroys('removes or stops containers or images')],
		['push login logout', remote], ['pull', fetches],
		['exec', wrap('-e --env -u --user -w --workdir --env-file', { skip: 1 }, { effect: L })],
		['compose', subs(L, [['ps logs config ls images top version', read], ['down rm kill stop', destroys('removes or stops containers')], ['push', remote]], { values: '-f --file -p --project-name' })],
		['system', subs(L, [['df info events', read], ['prune', destroys('deletes containers and images')]])],
		['container image volume network builder', subs(L, [['ls list inspect logs history', read], ['rm prune remove kill stop', destroys('removes containers, images or volumes')], ['push', remote]])],
	], { values: '-H --host --context -c --config -l', options: { '-H --host --context -c --config': [L, 'works with another daemon'] } })],
	['docker-compose', subs(L, [['ps logs config ls images top version', read], ['down rm kill stop', destroys('removes or stops containers')]], { values: '-f --file -p' })],
	['kubectl oc helm', { ...remote, operand: [/^(?:delete|drain|uninstall|rollback|replace|cordon)$/, D, 'deletes from a cluster'] }],
	['terraform tofu pulumi', subs(L, [['version validate output providers', { ...remote }], ['apply destroy up', destroys('changes real infrastructure')], ['state', subs(D, [['list show', remote]])]])],
	['aws gcloud az doctl heroku fly flyctl vercel netlify firebase wrangler', { ...remote, operand: [/^(?:rm|rb|remove|delete.*|destroy|terminate.*|purge|deploy|--prod)$/, D, 'deletes or replaces something remote'] }],
];

// prettier-ignore
const PACKAGES: readonly RuleRow[] = [
	['npm pnpm', subs(L, [
		['ls list ll la root prefix bin help help-search explain why fund query sbom -v', read],
		['view info show v outdated search ping whoami doctor', remote],
		['audit', { ...remote, operands: [0, L, 'changes dependencies'], options: { '--fix': [L, 'changes dependencies'] } }],
		['publish unpublish deprecate owner access token login adduser logout dist-tag team org profile hook star unstar', publishes],
		['config c get set', subs(L, [['get list ls', read]])],
		['pkg', subs(L, [['get', read]])],
		['exec x dlx', wrap('-p --package -w --workspace', {}, { effect: L, does: 'may download a program and run it', network: true, options: { '-c --call': 'code' } })],
		['run run-script test t tst start stop restart build', changes("runs the project's scripts")],
	], { values: '-C --prefix -w --workspace --filter -F', folder: '-C --prefix', version: '-v', network: true, does: 'changes dependencies' })],
	['yarn', subs(L, [
		['list why bin help', read], ['info outdated audit', remote], ['publish unpublish npm login logout owner tag', publishes],
		['exec', wrap('', {}, { effect: L })], ['dlx', wrap('-p --package', {}, { effect: L, network: true })],
	], { bare: L, values: '--cwd', folder: '--cwd', version: '-v', does: "changes dependencies or runs the project's scripts", network: true })],
	['pip pip3 uv pipenv poetry conda mamba pipx', subs(L, [
		['list show freeze check', read], ['search index', remote], ['publish upload', publishes],
		['run exec', wrap('--with --python -p', {}, { effect: L })], ['uninstall remove', destroys('removes packages')],
		['pip', subs(L, [['list show freeze check', read], ['uninstall', destroys('removes packages')]])],
	], { version: '-V', network: true, does: 'changes packages', options: { '--python': runsOther }, values: '--python' })],
	['twine', publishes],
	['cargo', subs(L, [['publish yank owner login logout', publishes], ['search info', remote], ['version help locate-project pkgid read-manifest', read], ['clean', changes('deletes build results')]], { version: '-V', does: "runs or builds the project's code" })],
	['gem bundle composer', subs(L, [['list show info outdated check', read], ['push yank owner signin', publishes], ['exec', wrap('', {}, { effect: L })], ['uninstall remove', destroys('removes packages')]], { bare: L, version: '-v' })],
	['apt apt-get aptitude dnf yum zypper apk brew port snap flatpak choco winget scoop', subs(L, [
		['list show search policy info depends rdepends files deps leaves config outdated', read],
		['remove purge autoremove uninstall erase rm autoclean clean', destroys('removes software')],
	], { does: 'changes the software of the computer', options: { '-o --option -c --config-file': runsOther }, values: '-o --option -c --config-file' })],
	['dpkg rpm', { effect: D, does: 'changes the software of the computer', milder: ['-l --list -L --listfiles -s --status -S --search -q -qa -qi -ql --query -W', R] }],
	['pacman', { effect: D, does: 'changes the software of the computer' }],
];

// prettier-ignore
const NETWORK: readonly RuleRow[] = [
	['curl', { ...remote, check: 'curl', values: '-X --request -H --header -d --data --data-raw --data-binary --data-urlencode -F --form -u --user -A --user-agent -e --referer -b --cookie -m --max-time --connect-timeout --retry -w --write-out -x --proxy --resolve --json -T --upload-file -K --config -o --output -c --cookie-jar -D --dump-header --output-dir --cacert --cert --key --trace --trace-ascii --stderr --url -r --range',
		options: { '-o --output -c --cookie-jar -D --dump-header --output-dir --trace --trace-ascii --stderr --hsts --alt-svc --etag-save': 'writes', '-O --remote-name --remote-name-all -J --remote-header-name': [L, 'writes a file'], '-K --config': [L, 'takes options from a file'], '-Q --quote': [D, 'sends commands to a server'] } }],
	['wget', { effect: L, does: 'downloads files', network: true, check: 'wget', values: '-O --output-document -o --output-file -P --directory-prefix -U --user-agent --header --post-data -t -T', options: { '-O --output-document -o --output-file -a --append-output -P --directory-prefix': 'writes', '--use-askpass -e --execute': runsOther } }],
	['http https xh', { ...remote, operand: [/^DELETE$/i, D, 'deletes something remote'], options: { '-d --download -o --output': [L, 'writes a file'] } }],
	['scp sftp ftp lftp', fetches],
	['rsync', { effect: L, does: 'copies files', network: true, writes: 'last', values: '-e --rsh --exclude --include --filter -f', options: { '--delete --del --delete-before --delete-during --delete-after --delete-excluded --remove-source-files': [D, 'deletes files'], '-e --rsh --rsync-path': 'code' } }],
	['nc ncat netcat socat telnet openssl', { effect: L, does: 'opens connections', network: true, options: { '-e --exec -c --sh-exec': [D, 'gives a shell to the network'] } }],
	['gh', subs(N, [
		['issue', subs(N, [['view list status', reads({ '-w --web': opensBrowser })], ['delete transfer', destroys('deletes an issue')]])],
		['pr', subs(N, [['view list status checks diff', reads({ '-w --web': opensBrowser })], ['checkout', fetches], ['merge close', destroys('merges or closes a pull request')]])],
		['repo', subs(N, [['view list', reads({ '-w --web': opensBrowser })], ['clone', fetches], ['delete archive rename edit', destroys('changes or deletes a repository')]])],
		['release', subs(N, [['view list', reads({ '-w --web': opensBrowser })], ['download', fetches], ['delete delete-asset', destroys('deletes a release')]])],
		['run', subs(N, [['view list watch', reads({ '-w --web': opensBrowser })], ['download', fetches], ['delete cancel', destroys('ends or deletes a run')]])],
		['api auth secret ssh-key gpg-key alias extension config codespace', destroys('can do anything with your GitHub account')],
		['search status', read],
	], { network: true, does: 'changes something on GitHub' })],
];

const gitWrites: OptionRule = [L, 'writes or runs something'];
const gitShow: ProgramRule = reads({
	'--output': 'writes',
	'--ext-diff --textconv --filters': [L, 'runs programs set in the configuration'],
});

// prettier-ignore
const GIT: readonly RuleRow[] = [
	['status rev-parse ls-files ls-tree blame annotate describe rev-list merge-base name-rev for-each-ref show-ref check-ignore check-attr check-ref-format check-mailmap var version whatchanged cherry verify-commit verify-tag count-objects show-branch get-tar-commit-id patch-id stripspace column', reads({ '--output': 'writes', '--ext-diff --textconv --filters': gitWrites })],
	['log diff show diff-tree diff-index diff-files range-diff shortlog cat-file', gitShow],
	['grep', reads({ '-O --open-files-in-pager --ext-grep --textconv': gitWrites })],
	['archive', reads({ '-o --output': 'writes', '--remote --exec': [N, 'talks to another computer'] })],
	['ls-remote', { ...remote, options: { '--upload-pack --exec': runsOther } }],
	['branch', reads({ '-d -D --delete': [D, 'deletes branches'], '-f --force -M -C': [D, 'moves branches'], '-m --move -c --copy -u --set-upstream-to --unset-upstream --edit-description -t --track': [L, 'changes branches'] },
		{ milder: ['-l --list -a --all -r --remotes --show-current', R], operands: [0, L, 'makes a branch'], values: '--contains --no-contains --points-at --format --sort --merged --no-merged' })],
	['tag', reads({ '-d --delete': [D, 'deletes tags'], '-f --force': [D, 'moves tags'], '-a -s -m -u -F --annotate --sign --message': [L, 'makes a tag'] }, { milder: ['-l --list', R], operands: [0, L, 'makes a tag'], values: '--contains --points-at --format --sort --merged --no-merged' })],
	['remote', subs(L, [['get-url', read], ['show update prune', remote], ['remove rm', destroys('removes a remote')]], { does: 'changes remotes' })],
	['stash', subs(L, [['list', gitShow], ['show', gitShow], ['drop clear', destroys('deletes saved changes')]], { bare: L, does: 'moves changes into or out of the stash' })],
	['config', subs(L, [['get list', read]], { does: 'changes the configuration of git', milder: ['-l --list --get --get-all --get-regexp --get-urlmatch', R], options: { '--unset --unset-all --add --replace-all --edit --rename-section --remove-section': [L, 'changes the configuration of git'] }, asks: true, alsoWrites: ['.git/config'] })],
	['reflog', subs(R, [['show', gitShow], ['expire delete', destroys('deletes history')]])],
	['symbolic-ref', reads({ '-d --delete': [D, 'deletes references'] }, { operands: [1, L, 'moves a branch'] })],
	['notes worktree submodule bundle lfs sparse-checkout bisect', subs(L, [['list show status verify summary log', read], ['remove prune deinit', destroys('removes files')], ['run', wrap('', {}, { effect: L })], ['foreach', wrap('', { as: 'code' }, { effect: L })]])],
	['add stage commit merge cherry-pick revert am apply mv init format-patch gc repack fsck maintenance update-index write-tree commit-tree hash-object pack-refs rerere mergetool difftool', changes('changes the repository')],
	['rebase', { effect: L, does: 'rewrites commits', options: { '-x --exec': 'code' }, values: '-x --exec --onto' }],
	['switch', { effect: L, does: 'changes files', options: { '-f --force --discard-changes -C --force-create': [D, 'discards changes'] } }],
	['checkout', { effect: L, does: 'changes files', check: 'gitCheckout', values: '-b -B --orphan', options: { '-f --force -B --ours --theirs -p --patch': [D, 'discards changes'] } }],
	['restore', { effect: D, does: 'discards changes', milder: ['--staged -S', L], options: { '-W --worktree': [D, 'discards changes'] } }],
	['reset', { effect: L, does: 'moves the branch', options: { '--hard --merge --keep': [D, 'discards changes'] } }],
	['clean', { effect: D, does: 'deletes files', milder: ['-n --dry-run -nd -dn', R] }],
	['rm', { effect: D, does: 'deletes files', deletes: 'all' }],
	['prune filter-branch filter-repo update-ref replace read-tree', destroys('rewrites or deletes history')],
	['fetch pull clone', { ...fetches, options: { '-u --upload-pack -c --config': runsOther } }],
	['push', { effect: N, does: 'sends commits to another computer', network: true, check: 'gitPush', options: { '-f --force --force-with-lease --force-if-includes': [D, 'overwrites remote history'], '-d --delete --mirror --prune': [D, 'deletes remote branches'], '--receive-pack --exec': runsOther } }],
	['send-email request-pull svn p4', remote],
];

const git = subs(L, GIT, {
	does: 'runs an unknown git command or alias',
	folder: '-C',
	values: '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix',
	options: {
		'-c --config-env --exec-path --git-dir --work-tree': [L, 'runs git with other settings, which may run programs'],
	},
	version: '-v',
});

/** Every program that is known, by the last part of its path. */
export const PROGRAMS: ReadonlyMap<string, ProgramRule> = table([
	...BUILTINS,
	...WRAPPERS,
	...READERS,
	...WRITERS,
	...CODE,
	...PACKAGES,
	...NETWORK,
	['git', git],
]);
