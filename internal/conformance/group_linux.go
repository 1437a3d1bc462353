package conformance

import "golang.org/x/sys/unix"

// awaitExit waits until a child has exited and leaves it as a zombie, and tells
// whether it could. As long as it is one, nobody else can get its number, so that
// its group may be killed safely.
func awaitExit(pid int) bool {
	for {
		if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			return err == nil
		}
	}
}
