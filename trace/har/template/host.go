package template

import (
	"net/netip"
	"strings"
)

// Host returns what stands for a host, given without its port: the host in lower
// case, and "localhost" for all names and addresses of the machine itself, on
// which tests put their servers wherever there is room.
func Host(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if Local(host) {
		return "localhost"
	}
	return host
}

// Local reports whether a host, given without its port, is the machine itself.
func Local(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && (ip.Unmap().IsLoopback() || ip.IsUnspecified())
}
