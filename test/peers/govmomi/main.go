// Command vcsim runs govmomi's vCenter simulator on a loopback port and prints where it listens. Beside the simulator's own
// API it serves a few paths under /control/, by which a test plays the parts that the simulator does not: guests that report
// addresses and tools, faults of single calls, the number of calls.
package main

import (
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"

	_ "github.com/vmware/govmomi/lookup/simulator"
	_ "github.com/vmware/govmomi/pbm/simulator"
	"github.com/vmware/govmomi/simulator"
	_ "github.com/vmware/govmomi/ssoadmin/simulator"
	_ "github.com/vmware/govmomi/sts/simulator"
	_ "github.com/vmware/govmomi/vapi/cluster/simulator"
	_ "github.com/vmware/govmomi/vapi/simulator"
)

func main() {
	model := simulator.VPX()
	listen := flag.String("l", "127.0.0.1:0", "address to listen on")
	version := flag.String("version", "8.0.3", "version that vCenter reports")
	username := flag.String("username", "", "the only user that may log in; anybody when empty")
	password := flag.String("password", "", "the password of that user")
	addresses := flag.String("addresses", "", "IPv4 prefix such as 10.20: running VMs get addresses from it, as from DHCP")
	delay := flag.String("delay", "", "method=milliseconds[,method=milliseconds]: how long calls take")
	flag.IntVar(&model.Datacenter, "dc", model.Datacenter, "datacenters")
	flag.IntVar(&model.Cluster, "cluster", model.Cluster, "compute clusters in each datacenter")
	flag.IntVar(&model.ClusterHost, "host", model.ClusterHost, "hosts in each cluster")
	flag.IntVar(&model.Host, "standalone-host", model.Host, "hosts outside of clusters")
	flag.IntVar(&model.Datastore, "ds", model.Datastore, "datastores")
	flag.IntVar(&model.Pool, "pool", model.Pool, "resource pools in each cluster")
	flag.IntVar(&model.Machine, "vm", model.Machine, "virtual machines in each pool")
	flag.IntVar(&model.Folder, "folder", model.Folder, "folders in each datacenter")
	flag.IntVar(&model.OpaqueNetwork, "nsx", model.OpaqueNetwork, "opaque networks")
	flag.IntVar(&model.PortgroupNSX, "nsx-pg", model.PortgroupNSX, "port groups backed by NSX")
	schema := flag.String("schema", "", "print the elements of these types, separated by commas, and end")
	flag.Parse()
	if *schema != "" {
		printSchema(strings.Split(*schema, ","))
		return
	}

	model.ServiceContent.About.Version = *version
	model.ServiceContent.About.ApiVersion = *version
	model.DelayConfig.MethodDelay = delays(*delay)
	if err := model.Create(); err != nil {
		fail(err)
	}
	service := model.Service
	useViews(service.Context.Map)
	service.RegisterEndpoints = true
	service.Listen = &url.URL{Host: *listen}
	if *username != "" {
		service.Listen.User = url.UserPassword(*username, *password)
	}
	service.TLS = new(tls.Config)
	control := newControl(service)
	server := service.NewServer()
	server.Config.Handler = control.count(server.Config.Handler)
	if *addresses != "" {
		service.Context.Map.AddHandler(&dhcp{control: control, prefix: *addresses})
	}

	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.TLS.Certificates[0].Certificate[0]})
	_ = json.NewEncoder(os.Stdout).Encode(map[string]string{
		"server":      server.URL.Host,
		"certificate": string(certificate),
	})
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	<-stop
	model.Remove()
}

func delays(text string) map[string]int {
	result := map[string]int{}
	for _, entry := range strings.Split(text, ",") {
		if entry == "" {
			continue
		}
		name, value, _ := strings.Cut(entry, "=")
		var milliseconds int
		if _, err := fmt.Sscan(value, &milliseconds); err != nil {
			fail(fmt.Errorf("-delay %q: %w", entry, err))
		}
		result[name] = milliseconds
	}
	return result
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
