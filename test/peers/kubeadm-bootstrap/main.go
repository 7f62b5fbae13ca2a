// Command kubeadm-bootstrap renders bootstrap data with Cluster API's own packages, so that tests can compare ours with it
// byte for byte. It reads one request as JSON from standard input and writes the rendered data to standard output.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/blang/semver/v4"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/cloudinit"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/ignition"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/types"
	"sigs.k8s.io/cluster-api/bootstrap/kubeadm/pkg/types/upstream"
	"sigs.k8s.io/cluster-api/util/certs"
	"sigs.k8s.io/cluster-api/util/secret"
)

type request struct {
	Role         string                        `json:"role"`
	Version      string                        `json:"version"`
	Spec         bootstrapv1.KubeadmConfigSpec `json:"spec"`
	Cluster      upstream.AdditionalData       `json:"cluster"`
	Certificates map[string]struct {
		Cert string `json:"cert"`
		Key  string `json:"key"`
	} `json:"certificates"`
}

func main() {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fail(err)
	}
	data, err := render(&asked)
	if err != nil {
		fail(err)
	}
	os.Stdout.Write(data)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func render(asked *request) ([]byte, error) {
	version, err := semver.ParseTolerant(asked.Version)
	if err != nil {
		return nil, err
	}
	base := baseOf(&asked.Spec, version)
	switch asked.Role {
	case "init":
		return renderInit(asked, base, version)
	case "control-plane-join":
		return renderControlPlaneJoin(asked, base, version)
	default:
		return renderWorker(asked, base, version)
	}
}

func baseOf(spec *bootstrapv1.KubeadmConfigSpec, version semver.Version) cloudinit.BaseUserData {
	base := cloudinit.BaseUserData{
		AdditionalFiles:     spec.Files,
		BootCommands:        spec.BootCommands,
		PreKubeadmCommands:  spec.PreKubeadmCommands,
		PostKubeadmCommands: spec.PostKubeadmCommands,
		Users:               spec.Users,
		Mounts:              spec.Mounts,
		KubernetesVersion:   version,
	}
	if spec.NTP.IsDefined() {
		base.NTP = &spec.NTP
	}
	if spec.DiskSetup.IsDefined() {
		base.DiskSetup = &spec.DiskSetup
	}
	if spec.Verbosity != nil {
		base.KubeadmVerbosity = fmt.Sprintf("--v %d", *spec.Verbosity)
	}
	return base
}

func fill(certificates secret.Certificates, asked *request) secret.Certificates {
	for _, certificate := range certificates {
		if pair, ok := asked.Certificates[string(certificate.Purpose)]; ok {
			certificate.KeyPair = &certs.KeyPair{Cert: []byte(pair.Cert), Key: []byte(pair.Key)}
		}
	}
	return certificates
}

func renderInit(asked *request, base cloudinit.BaseUserData, version semver.Version) ([]byte, error) {
	spec := &asked.Spec
	asked.Cluster.ControlPlaneComponentHealthCheckSeconds = spec.InitConfiguration.Timeouts.ControlPlaneComponentHealthCheckSeconds
	cluster, err := types.MarshalClusterConfigurationForVersion(&spec.ClusterConfiguration, version, &asked.Cluster)
	if err != nil {
		return nil, err
	}
	first, err := types.MarshalInitConfigurationForVersion(&spec.InitConfiguration, version)
	if err != nil {
		return nil, err
	}
	input := &cloudinit.ControlPlaneInput{
		BaseUserData:         base,
		Certificates:         fill(secret.NewCertificatesForInitialControlPlane(&spec.ClusterConfiguration), asked),
		ClusterConfiguration: cluster,
		InitConfiguration:    first,
	}
	if spec.Format == bootstrapv1.Ignition {
		data, _, err := ignition.NewInitControlPlane(&ignition.ControlPlaneInput{ControlPlaneInput: input, Ignition: &spec.Ignition})
		return data, err
	}
	return cloudinit.NewInitControlPlane(input)
}

func renderControlPlaneJoin(asked *request, base cloudinit.BaseUserData, version semver.Version) ([]byte, error) {
	spec := &asked.Spec
	join, err := types.MarshalJoinConfigurationForVersion(&spec.JoinConfiguration, version)
	if err != nil {
		return nil, err
	}
	input := &cloudinit.ControlPlaneJoinInput{
		BaseUserData:      base,
		Certificates:      fill(secret.NewControlPlaneJoinCerts(&spec.ClusterConfiguration), asked),
		JoinConfiguration: join,
	}
	if spec.Format == bootstrapv1.Ignition {
		data, _, err := ignition.NewJoinControlPlane(&ignition.ControlPlaneJoinInput{ControlPlaneJoinInput: input, Ignition: &spec.Ignition})
		return data, err
	}
	return cloudinit.NewJoinControlPlane(input)
}

func renderWorker(asked *request, base cloudinit.BaseUserData, version semver.Version) ([]byte, error) {
	spec := &asked.Spec
	join, err := types.MarshalJoinConfigurationForVersion(&spec.JoinConfiguration, version)
	if err != nil {
		return nil, err
	}
	input := &cloudinit.NodeInput{BaseUserData: base, JoinConfiguration: join}
	if spec.Format == bootstrapv1.Ignition {
		data, _, err := ignition.NewNode(&ignition.NodeInput{NodeInput: input, Ignition: &spec.Ignition})
		return data, err
	}
	return cloudinit.NewNode(input)
}
