//go:build tools

// Package peers names the programs that are built from this module, so that `go mod tidy` keeps what they need.
package peers

import (
	_ "github.com/containerd/containerd/v2/cmd/containerd"
	_ "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2"
	_ "github.com/containerd/containerd/v2/cmd/ctr"
)
