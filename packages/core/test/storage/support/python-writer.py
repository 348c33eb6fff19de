"""Adds entries to MEMORY.md and counts in .usage.json as Python Hermes does: under flock of <file>.lock, replaced by a rename. Prints each that is on disk."""
import fcntl, json, os, sys, time

home, writer, times = sys.argv[1], sys.argv[2], int(sys.argv[3])


def replace(path, change):
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with open(path + '.lock', 'a+') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        text = open(path, encoding='utf-8').read() if os.path.exists(path) else ''
        temporary = '%s/.mem_%d.tmp' % (os.path.dirname(path), os.getpid())
        with open(temporary, 'w', encoding='utf-8') as file:
            file.write(change(text))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)


def count(text):
    usage = json.loads(text) if text else {}
    usage.setdefault('py', {'use_count': 0})['use_count'] += 1
    return json.dumps(usage)


print('ready', flush=True)
sys.stdin.readline()
for number in range(times):
    name = '%s-%d' % (writer, number)
    replace(os.path.join(home, 'memories', 'MEMORY.md'), lambda text: text + '\n§\n' + name if text else name)
    replace(os.path.join(home, 'skills', '.usage.json'), count)
    print(name, flush=True)
    time.sleep(0.002)
