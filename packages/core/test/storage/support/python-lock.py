"""Locks a file as Python Hermes does. Commands on stdin: hold, try, write <file> <text>, release."""
import fcntl
import os
import sys

fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
print("open", flush=True)
for line in sys.stdin:
    command, *rest = line.rstrip("\n").split(" ", 2)
    if command == "hold":
        fcntl.flock(fd, fcntl.LOCK_EX)
        print("held", flush=True)
    elif command == "try":
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            print("held", flush=True)
        except BlockingIOError:
            print("busy", flush=True)
    elif command == "write":
        with open(rest[0], "w", encoding="utf-8") as file:
            file.write(rest[1])
        print("written", flush=True)
    elif command == "release":
        fcntl.flock(fd, fcntl.LOCK_UN)
        print("released", flush=True)
